//! The ranges of options that are not whole numbers; each refusal says what would be right.

use std::time::Duration;

/// The longest idle time: a day.
const LONGEST_IDLE: f64 = 86_400.0;

/// A factor above zero.
pub(crate) fn speed(text: &str) -> Result<f64, String> {
    number(text)?.filter(|speed| *speed > 0.0).ok_or_else(|| "a speed is above 0, as in 1 or 3600".to_owned())
}

/// A share from 0 to 1.
pub(crate) fn fail_rate(text: &str) -> Result<f64, String> {
    let right = "a share is 0 to 1, as in 0.05 for five in a hundred";
    number(text)?.filter(|rate| (0.0..=1.0).contains(rate)).ok_or_else(|| right.to_owned())
}

/// A time from 0 to a day.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let right = "a time is 0 to 86400 seconds";
    let seconds = number(text)?.filter(|seconds| (0.0..=LONGEST_IDLE).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| right.to_owned())
}

/// `None` stands for a number that is infinite or none.
fn number(text: &str) -> Result<Option<f64>, String> {
    let number: f64 = text.parse().map_err(|_| "it is not a number".to_owned())?;
    Ok(number.is_finite().then_some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_refused() {
        assert_eq!(
            (speed("0.5"), fail_rate("1"), seconds("1.5")),
            (Ok(0.5), Ok(1.0), Ok(Duration::from_millis(1_500)))
        );
        for text in ["0", "-1", "inf", "NaN", "x", ""] {
            assert!(speed(text).is_err(), "{text:?}");
        }
        for text in ["2", "-0.1", "NaN", "5%"] {
            assert!(fail_rate(text).is_err(), "{text:?}");
        }
        for text in ["-1", "86401", "1e300", "NaN"] {
            assert!(seconds(text).is_err(), "{text:?}");
        }
    }
}
