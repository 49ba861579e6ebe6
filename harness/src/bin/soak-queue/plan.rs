//! A plan: at which stage of a soak what is done to it.

use fastrand::Rng;

use crate::options::Options;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Kill,
    Freeze,
    Restart,
}

/// At which stage of a soak what is done to it: the same for the same seed, however fast the machine is.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The stages, in thousandths, the last first.
    steps: Vec<(u64, Trouble)>,
}

impl Plan {
    pub(crate) fn of(options: &Options, random: &mut Rng) -> Self {
        let freezes = options.kills.div_ceil(4);
        let counts = [
            (options.kills, Trouble::Kill),
            (freezes, Trouble::Freeze),
            (options.restarts, Trouble::Restart),
        ];
        let all = counts.into_iter().flat_map(|(count, trouble)| std::iter::repeat_n(trouble, count));
        let mut steps: Vec<_> = all.map(|trouble| (random.u64(..950), trouble)).collect();
        steps.sort_by_key(|step| std::cmp::Reverse(step.0));
        Self { steps }
    }

    /// The next thing to do, if it is due at this stage.
    pub(crate) fn due(&mut self, stage: u64) -> Option<Trouble> {
        self.steps.pop_if(|(at, _)| *at <= stage).map(|(_, trouble)| trouble)
    }
}
