//! Listing the holders of many keys at once.

use semaphore::{Dialect, Holders, MemorySemaphore, Semaphore, SemaphoreKey};

use crate::support::{Db, Probe, ask, on_each, run, take};

fn keys(names: &[&str]) -> Vec<SemaphoreKey> {
    names.iter().map(|name| SemaphoreKey::new(*name).unwrap()).collect()
}

/// What each list says: the keys and slots in it.
async fn lists(holders: &impl Holders, names: &[&str]) -> Vec<Vec<(String, u16)>> {
    let lists = holders.holders_of(keys(names)).await.unwrap();
    let place = |token: &semaphore::PermitToken| (token.key().to_string(), token.slot());
    lists.iter().map(|list| list.iter().map(|holder| place(&holder.token)).collect()).collect()
}

const NAMES: [&str; 8] = ["b", "none", "a", "B", r#"a"b\c\"d"#, "b", "it's", "gone"];

async fn each_key_has_its_list(semaphore: &(impl Semaphore + Holders)) {
    let mut permits = Vec::new();
    for name in ["b", "a", "b", r#"a"b\c\"d"#, "it's", "unasked", "b", "gone"] {
        permits.push(semaphore.try_acquire(ask(name, 3)).await.unwrap().expect("a slot is free"));
    }
    permits.remove(2).release().await.unwrap();
    permits.pop().unwrap().release().await.unwrap();
    let b = || vec![("b".to_owned(), 0), ("b".to_owned(), 2)];
    let one = |name: &str| vec![(name.to_owned(), 0)];
    let expected = [b(), vec![], one("a"), vec![], one(r#"a"b\c\"d"#), b(), one("it's"), vec![]];
    assert_eq!(lists(semaphore, &NAMES).await, expected);
    let [one, many] = [
        semaphore.holders(keys(&["b"]).remove(0)).await,
        semaphore.holders_of(keys(&["b"])).await.map(|mut lists| lists.remove(0)),
    ];
    for (one, other) in one.unwrap().iter().zip(many.unwrap()) {
        assert_eq!(
            (&one.token, one.fencing_token, &one.context),
            (&other.token, other.fencing_token, &other.context)
        );
        assert_eq!((one.since, one.until), (other.since, other.until));
    }
}

/// In the order in which they were asked for, each as often as it was; whatever characters a key has.
async fn each_key_has_its_own_list<D: Dialect>(db: &Db<D>) {
    each_key_has_its_list(&db.semaphore).await;
}

/// A lease that has ended is not listed, whichever key's it is.
async fn an_ended_lease_is_not_listed<D: Probe>(db: &Db<D>) {
    let (held, ended) = (take(&db.semaphore, "held", 1).await, take(&db.semaphore, "ended", 1).await);
    let past = if D::NAME == "PostgreSQL" { "expires_at = now()" } else { "expires_us = 0" };
    D::run(db, &format!("UPDATE sem_slot SET {past} WHERE sem_key = 'ended'")).await;
    let listed = lists(&db.semaphore, &["ended", "held"]).await;
    assert_eq!(listed, [vec![], vec![("held".to_owned(), 0)]]);
    held.release().await.unwrap();
    drop(ended);
}

on_each! {
    // S12
    each_key_has_its_own_list
    // S4
    an_ended_lease_is_not_listed
}

// S12
#[test]
fn each_key_has_its_own_list_in_memory() {
    run(async { each_key_has_its_list(&MemorySemaphore::new()).await });
}
