//! W12: where the points of a pattern lie.

use super::*;

/// The first points of a pattern from a time on.
fn points(cron: &Cron, from: &str, count: usize) -> Vec<String> {
    let first = cron.at_or_after(from.parse::<Timestamp>().unwrap().into());
    let all = std::iter::successors(first, |&point| cron.after(point));
    all.take(count).map(|point| Timestamp::try_from(point).unwrap().to_string()).collect()
}

fn berlin(pattern: &str) -> Cron {
    Cron::in_zone("Europe/Berlin", pattern).unwrap()
}

// W12
#[test]
fn a_pattern_is_in_utc_unless_a_zone_is_set() {
    let utc = Cron::in_utc("30 2 * * *").unwrap();
    assert_eq!(points(&utc, "2024-01-01T03:00:00Z", 1), ["2024-01-02T02:30:00Z"]);
    assert_eq!(points(&berlin("30 2 * * *"), "2024-01-01T03:00:00Z", 1), ["2024-01-02T01:30:00Z"]);
}

// W12
#[test]
fn the_first_point_may_be_now_and_a_fraction_of_a_second_later_it_is_past() {
    let hourly = Cron::in_utc("0 * * * *").unwrap();
    assert_eq!(points(&hourly, "2024-01-01T03:00:00Z", 1), ["2024-01-01T03:00:00Z"]);
    assert_eq!(points(&hourly, "2024-01-01T03:00:00.000001Z", 1), ["2024-01-01T04:00:00Z"]);
}

// W12: at 02:00 in Berlin it is 03:00
#[test]
fn when_clocks_go_forward_a_fixed_time_in_the_gap_runs_right_after_it() {
    let nightly = points(&berlin("30 2 * * *"), "2024-03-30T12:00:00Z", 2);
    assert_eq!(nightly, ["2024-03-31T01:00:00Z", "2024-04-01T00:30:00Z"]);
    let half_hourly = points(&berlin("*/30 * * * *"), "2024-03-31T00:30:00Z", 3);
    assert_eq!(half_hourly, ["2024-03-31T00:30:00Z", "2024-03-31T01:00:00Z", "2024-03-31T01:30:00Z"]);
}

// W12: at 03:00 in Berlin it is 02:00 again
#[test]
fn when_clocks_go_back_a_fixed_time_runs_once_and_a_step_in_both_passes() {
    let nightly = points(&berlin("30 2 * * *"), "2024-10-26T12:00:00Z", 2);
    assert_eq!(nightly, ["2024-10-27T00:30:00Z", "2024-10-28T01:30:00Z"]);
    let half_hourly = points(&berlin("*/30 2 * * *"), "2024-10-27T00:00:00Z", 4);
    let both =
        ["2024-10-27T00:00:00Z", "2024-10-27T00:30:00Z", "2024-10-27T01:00:00Z", "2024-10-27T01:30:00Z"];
    assert_eq!(half_hourly, both);
}

// W12
#[test]
fn a_pattern_without_points_has_none() {
    assert!(points(&Cron::in_utc("0 0 30 2 *").unwrap(), "2024-01-01T00:00:00Z", 1).is_empty());
}

// W12
#[test]
fn what_is_refused_is_said() {
    for pattern in ["", "* * * *", "61 * * * *", "nonsense", "* * * * * * * *"] {
        let error = Cron::in_utc(pattern).unwrap_err();
        assert_eq!(error.given(), pattern);
        assert!(std::error::Error::source(&error).is_some());
    }
    let error = Cron::in_zone("Europe/Atlantis", "* * * * *").unwrap_err();
    assert_eq!(error.to_string(), "cron: \"Europe/Atlantis\" is not understood");
}

fn calendar(pattern: &str, clock: &Arc<WallClock>, delay: Duration) -> Box<dyn Grid> {
    Cron::in_utc(pattern).unwrap().grid(Instant::now() + delay, clock)
}

// W12
#[tokio::test(start_paused = true)]
async fn the_start_delay_holds_while_it_waits() {
    let clock = Arc::new(WallClock::start());
    let (start, delay) = (clock.now(), Duration::from_hours(5));
    let mut grid = calendar("0 * * * *", &clock, delay);
    grid.reached(Duration::ZERO).await;
    assert!(clock.now() >= start + delay && clock.now() < start + delay + Duration::from_hours(1));
}

// W12
#[tokio::test(start_paused = true)]
async fn points_that_were_slept_over_are_skipped_and_counted() {
    let clock = Arc::new(WallClock::start());
    let mut grid = calendar("0 * * * * *", &clock, Duration::ZERO);
    grid.reached(Duration::ZERO).await;
    sleep(Duration::from_secs(150)).await;
    grid.advance();
    assert_eq!(grid.skip(Duration::ZERO), 2);
    let next = grid.point().unwrap().duration_since(clock.now()).unwrap();
    assert!(next <= Duration::from_secs(30) && next > Duration::from_millis(29_998), "{next:?}");
}

// W12: a week of seconds is not counted one by one
#[tokio::test(start_paused = true)]
async fn a_long_sleep_ends_on_the_grid_too() {
    let clock = Arc::new(WallClock::start());
    let mut grid = calendar("* * * * * *", &clock, Duration::ZERO);
    sleep(Duration::from_hours(24 * 7)).await;
    assert_eq!(grid.skip(Duration::ZERO), COUNTED);
    assert!(grid.point().unwrap() >= clock.now());
}

/// An hourly grid, right after its first point; and that point.
async fn after_a_point(clock: &Arc<WallClock>) -> (Box<dyn Grid>, SystemTime) {
    let mut grid = calendar("0 * * * *", clock, Duration::from_hours(1));
    grid.reached(Duration::ZERO).await;
    let point = grid.point().unwrap();
    grid.advance();
    (grid, point)
}

// W12
#[tokio::test(start_paused = true)]
async fn a_clock_set_back_a_little_repeats_no_point() {
    let clock = Arc::new(WallClock::start());
    let (mut grid, point) = after_a_point(&clock).await;
    clock.set(point - Duration::from_mins(30));
    grid.reached(Duration::ZERO).await;
    assert_eq!(grid.point().unwrap(), point + Duration::from_hours(1));
    assert!(clock.now() >= point + Duration::from_hours(1));
}

// W12: it was wrong before, and need not come round to where it was
#[tokio::test(start_paused = true)]
async fn a_clock_set_back_a_year_goes_on_within_the_hour() {
    let clock = Arc::new(WallClock::start());
    let (mut grid, point) = after_a_point(&clock).await;
    let start = Instant::now();
    clock.set(point - Duration::from_hours(365 * 24));
    grid.reached(Duration::ZERO).await;
    assert!(start.elapsed() <= Duration::from_hours(1));
}

// W12: as when a machine slept
#[tokio::test(start_paused = true)]
async fn a_clock_set_forward_over_points_is_one_late_one() {
    let clock = Arc::new(WallClock::start());
    let (mut grid, point) = after_a_point(&clock).await;
    let start = Instant::now();
    clock.set(point + Duration::from_mins(150));
    grid.reached(Duration::ZERO).await;
    assert_eq!((grid.point().unwrap(), start.elapsed()), (point + Duration::from_hours(1), Duration::ZERO));
    grid.advance();
    assert_eq!(grid.skip(Duration::ZERO), 1);
    assert_eq!(grid.point().unwrap(), point + Duration::from_hours(3));
}
