//! What the engine leaves behind.

use super::*;

const HOUR: Duration = Duration::from_hours(1);

fn rules(ordered: bool) -> Rules {
    Rules {
        delay: Duration::ZERO,
        retention: HOUR,
        max_in_flight: 10,
        max_visibility: HOUR,
        max_receive_count: Some(1),
        ordered,
        content_deduplication: false,
    }
}

fn wanted(visibility: Duration, attempt: Option<Arc<str>>) -> Wanted {
    Wanted { max: 1, visibility, attempt }
}

// B28
#[test]
fn messages_that_have_gone_leave_nothing_behind() {
    let mut now = Instant::now();
    let mut engine = Engine::new(rules(false));
    for round in 0..1_000 {
        for delay in [0, 0, 1] {
            let outgoing = Outgoing::new("x").with_delay(Duration::from_secs(delay));
            engine.publish(&outgoing, SystemTime::UNIX_EPOCH, now);
        }
        let (_, receipt) = engine.receive(&wanted(HOUR, None), now).deliveries.remove(0);
        engine.change_visibility((&receipt, HOUR / 2), now).unwrap();
        if round % 2 == 0 {
            engine.delete(&receipt, now).unwrap();
        }
        now += HOUR / 4;
        engine.receive(&wanted(Duration::ZERO, None), now);
    }
    engine.advance(now + HOUR);
    assert!(engine.expired > 0 && engine.dead_lettered > 0);
    assert!(engine.messages.is_empty() && engine.ages.is_empty());
    assert_eq!(engine.schedule.depth(), Depth::empty());
}

// Q8, Q9, B28
#[test]
fn groups_attempts_and_deduplication_ids_that_have_gone_leave_nothing_behind() {
    let mut now = Instant::now();
    let mut engine = Engine::new(rules(true));
    for round in 0..1_000 {
        for copy in 0..3 {
            let id = format!("{round}/{}", copy / 2);
            let outgoing = Outgoing::new("x").with_group_key(id.clone()).with_deduplication_id(id);
            engine.publish(&outgoing, SystemTime::UNIX_EPOCH, now);
        }
        let wanted = Wanted { max: 10, ..wanted(HOUR / 8, Some(Arc::from(round.to_string()))) };
        let received = engine.receive(&wanted, now).deliveries;
        assert_eq!(engine.repeat(&wanted, now).map(|again| again.len()), Some(2));
        for (_, receipt) in received {
            match round % 3 {
                0 => assert!(engine.delete(&receipt, now).is_ok()),
                1 => assert!(engine.change_visibility((&receipt, HOUR), now).is_ok()),
                _ => {}
            }
        }
        now += HOUR / 4;
    }
    assert!(engine.stored == 2_000 && engine.expired > 0 && engine.dead_lettered > 0);
    engine.advance(now + HOUR);
    assert!(engine.messages.is_empty() && engine.groups.as_ref().is_some_and(Groups::is_empty));
    assert!(engine.window.is_empty() && engine.attempts.is_empty());
}
