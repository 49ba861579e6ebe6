//! Made-up ledgers, and what they come to.

use super::*;
use What::{Dead, Dying, Failed, Finished, Sending, Sent, Started};

fn piece(number: u64) -> Piece {
    Piece { key: "k".to_owned(), number }
}

/// Entries by run and what was done, numbered as the runs would.
fn balance(entries: &[(u64, What)]) -> Balance {
    let mut nths = HashMap::<u64, u64>::new();
    let numbered = entries.iter().map(|(run, what)| {
        let nth = nths.entry(*run).or_default();
        *nth += 1;
        Some(Entry { run: *run, nth: *nth, what: what.clone() })
    });
    Balance::of(numbered.collect::<Vec<_>>())
}

#[test]
fn what_was_sent_and_never_finished_is_lost_and_what_may_have_been_sent_is_not() {
    let balance = balance(&[
        (0, Sent(piece(1))),
        (0, Sending(piece(2))),
        (0, Sent(piece(3))),
        (1, Started(piece(1))),
        (1, Finished(piece(3))),
    ]);
    assert_eq!(balance.lost(), [("k", 1)]);
    assert!(balance.unsent().is_empty());
    let shown = r#"2 sent, 1 finished, 0 again; 1 lost, the first [("k", 1)]"#;
    assert!(balance.to_string().starts_with(shown), "{balance}");
}

#[test]
fn what_may_have_been_sent_may_be_finished_and_what_nobody_sent_may_not() {
    let balance = balance(&[(0, Sending(piece(1))), (1, Finished(piece(1))), (1, Finished(piece(9)))]);
    assert_eq!(balance.unsent(), [("k", 9)]);
}

#[test]
fn finishing_again_is_a_duplicate_and_no_disorder() {
    let balance = balance(&[
        (1, Finished(piece(1))),
        (1, Finished(piece(2))),
        (2, Finished(piece(1))),
        (2, Finished(piece(2))),
        (2, Finished(piece(3))),
    ]);
    assert_eq!(balance.duplicates(), 2);
    assert_eq!(balance.disorder(), []);
}

#[test]
fn the_first_finish_after_a_later_number_of_the_key_is_disorder() {
    let other = Piece { key: "other".to_owned(), number: 1 };
    let balance = balance(&[(1, Finished(piece(3))), (1, Finished(other)), (1, Finished(piece(2)))]);
    assert_eq!(balance.disorder(), [Disorder { key: "k".to_owned(), before: 3, after: 2 }]);
}

#[test]
fn work_on_a_key_that_is_under_way_is_an_overlap_until_it_ends() {
    let ends = [Finished(piece(1)), Failed(piece(1))];
    for end in ends {
        assert_eq!(balance(&[(1, Started(piece(1))), (1, end), (2, Started(piece(2)))]).overlaps(), []);
    }
    let balance = balance(&[(1, Started(piece(1))), (2, Started(piece(1)))]);
    let wanted = Overlap { key: "k".to_owned(), under_way: (1, 1), begun: (1, 2) };
    assert_eq!(balance.overlaps(), [wanted]);
    assert_eq!((balance.most_at_once("k"), balance.most_at_once("other")), (2, 0));
}

#[test]
fn a_run_that_dies_works_on_nothing_any_more() {
    for death in [Dying { victim: 1 }, Dead { victim: 1 }] {
        assert_eq!(balance(&[(1, Started(piece(1))), (0, death), (2, Started(piece(1)))]).overlaps(), []);
    }
    let another = [(1, Started(piece(1))), (0, Dead { victim: 3 }), (2, Started(piece(1)))];
    assert_eq!(balance(&another).overlaps().len(), 1);
}

#[test]
fn an_entry_that_is_missing_leaves_a_gap() {
    let entry = |nth| Some(Entry { run: 4, nth, what: Sent(piece(nth)) });
    assert_eq!(Balance::of([entry(1), entry(2)]).gaps(), []);
    assert_eq!(Balance::of([entry(1), entry(3)]).gaps(), [(4, 3)]);
}

#[test]
fn an_entry_that_was_cut_off_is_counted() {
    let balance = Balance::of([None, None]);
    assert_eq!(balance.torn(), 2);
    assert!(balance.to_string().contains("2 entries cut off"), "{balance}");
}
