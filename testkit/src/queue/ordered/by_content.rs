//! Deduplication by content: without an id, the body tells what was sent twice.

use queue_core::Outgoing;

use super::moves::done;
use crate::clause::Clause;
use crate::queue::QueueClause;
use crate::queue::QueuePromise::{ContentDeduplication, SeparateIds};
use crate::queue::case::Case;
use crate::queue::subject::Subject;

pub(super) fn clauses() -> Vec<QueueClause> {
    let clauses = [
        Clause::of(the_same_body_is_stored_once_whatever_is_around_it),
        Clause::of(an_id_goes_before_the_body),
        Clause::of(an_id_that_spells_a_body_or_its_digest_is_not_that_body).when(SeparateIds),
    ];
    clauses.into_iter().map(|clause| clause.when(ContentDeduplication)).collect()
}

async fn by_content(case: &Case) -> Subject {
    case.ordered_queue_with(|setup| setup.content_deduplication = true).await
}

fn plain(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key("a")
}

/// Q9: attributes and group do not count, the body does.
async fn the_same_body_is_stored_once_whatever_is_around_it(case: Case) {
    let queue = by_content(&case).await;
    let first = queue.send(plain("one")).await;
    assert_eq!(queue.send(plain("one").with_attribute("trace", "7")).await, first);
    assert_eq!(queue.send(Outgoing::new("one").with_group_key("b")).await, first);
    assert_ne!(queue.send(plain("One")).await, first);
    done(queue.next_is("one").await).await;
    done(queue.next_is("One").await).await;
    queue.is_quiet().await;
}

/// Q9: the body only counts where there is no id.
async fn an_id_goes_before_the_body(case: Case) {
    let queue = by_content(&case).await;
    let first = queue.send(plain("one").with_deduplication_id("x")).await;
    assert_eq!(queue.send(plain("two").with_deduplication_id("x")).await, first);
    assert_ne!(queue.send(plain("one").with_deduplication_id("y")).await, first);
    for _copy in 0..2 {
        done(queue.next_is("one").await).await;
    }
    queue.is_quiet().await;
}

/// The SHA-256 digest of "one", which Amazon SQS uses in place of an id.
const DIGEST: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";

/// Q9: so that nobody's id hides another's message.
async fn an_id_that_spells_a_body_or_its_digest_is_not_that_body(case: Case) {
    let queue = by_content(&case).await;
    queue.send(plain("one")).await;
    for id in ["one", DIGEST] {
        queue.send(plain("two").with_deduplication_id(id)).await;
    }
    for body in ["one", "two", "two"] {
        done(queue.next_is(body).await).await;
    }
}
