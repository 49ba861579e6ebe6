//! The macro that turns suites into a test target.

/// Makes the `main` of a test target that runs the suite of one backend, or of several under names of their own.
///
/// The target needs `harness = false` in `Cargo.toml`. If that is forgotten, the only test that runs is one that fails
/// and says so.
///
/// `queue` takes the arguments of [`queue`](fn@crate::queue), `ordered_queue` those of
/// [`ordered_queue`](fn@crate::ordered_queue), `gate` those of [`gate`](fn@crate::gate), whose promises
/// may be left out; `semaphore`, with the feature of that name, those of `testkit::semaphore`.
///
/// # Examples
/// ```
/// testkit::conformance!(gate, || queue_core::MasterGate::new());
/// ```
#[macro_export]
macro_rules! conformance {
    (gate, $factory:expr $(,)?) => {
        $crate::conformance!(gate, $crate::Promises::gated(), $factory);
    };
    ($kind:ident, $promises:expr, $factory:expr $(,)?) => {
        $crate::conformance!(@main [$crate::$kind($promises, $factory)]);
    };
    ($($name:ident: $kind:ident($promises:expr, $factory:expr $(,)?)),+ $(,)?) => {
        $crate::conformance!(@main [$($crate::$kind($promises, $factory).named(stringify!($name))),+]);
    };
    (@main $suites:expr) => {
        fn main() -> ::std::process::ExitCode {
            $crate::main($suites)
        }

        #[test]
        fn this_target_needs_harness_false() {
            panic!("no clause was run: set `harness = false` for this [[test]] in Cargo.toml");
        }
    };
}
