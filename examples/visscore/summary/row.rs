//! A row of the summary.

use indicatif::HumanCount;

/// The width of a plain terminal.
const WIDTH: usize = 80;

/// A name, a count, and a remark if there is something to remark.
pub(super) fn count(name: &str, count: u64, remark: &str) -> String {
    row(name, &HumanCount(count).to_string(), remark)
}

/// A name and a count, with a remark only if it is not zero.
pub(super) fn count_with(name: &str, number: u64, remark: &str) -> String {
    count(name, number, if number > 0 { remark } else { "" })
}

/// A name, any figure, and a remark.
pub(super) fn row(name: &str, figure: &str, remark: &str) -> String {
    format!("  {name:<13}{figure:>12}   {remark}").trim_end().to_owned() + "\n"
}

/// A name, and two figures beside each other.
pub(super) fn pair(name: &str, [left, right]: [&str; 2]) -> String {
    format!("  {name:<48}{left:>14}{right:>14}").trim_end().to_owned() + "\n"
}

/// A sentence, over as many lines as it takes.
pub(super) fn note(text: &str) -> String {
    let options = textwrap::Options::new(WIDTH).initial_indent("  ").subsequent_indent("  ");
    textwrap::fill(text, options) + "\n"
}

/// A paragraph at the margin.
pub(super) fn paragraph(text: &str) -> String {
    textwrap::fill(text, WIDTH) + "\n"
}

/// Dollars: to the cent, or to two digits that say something.
pub(super) fn dollars(amount: f64) -> String {
    let small = amount > 0.0 && amount < 0.1;
    let digits = if small { (1.0 - amount.log10().floor()).clamp(2.0, 12.0) as usize } else { 2 };
    format!("${amount:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_amounts_keep_two_digits_that_say_something() {
        let amounts = [0.0, 0.000_000_4, 0.002_56, 0.12, 4.772, 35.0].map(dollars);
        assert_eq!(amounts, ["$0.00", "$0.00000040", "$0.0026", "$0.12", "$4.77", "$35.00"]);
    }
}
