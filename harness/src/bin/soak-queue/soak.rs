//! The soak itself: hires the crew, makes trouble, waits until everything is handled, and asks for the verdict.

use std::path::PathBuf;
use std::time::Duration;

use fastrand::Rng;
use harness::{Ledger, monotonic, pause};
use tempfile::TempDir;

use crate::backend::{Place, Queues};
use crate::consume::Style;
use crate::crew::Crew;
use crate::host::Host;
use crate::job::{Job, Role};
use crate::options::{Backend, Options};
use crate::plan::{Plan, Trouble};
use crate::plant::Plant;
use crate::tally::Tally;
use crate::verdict::Verdict;
use crate::{Failure, job, tell};

/// How many producers a queue has.
const PRODUCERS: u64 = 2;
/// How many consumers of each style a queue has.
const CONSUMERS: usize = 2;
/// A soak.
pub(crate) struct Soak {
    options: Options,
    plant: Option<Plant>,
    folder: TempDir,
    ledger: Ledger,
    host: Option<Host>,
    place: Place,
}

/// What a soak remembers from one look to the next.
struct Watch {
    tally: Tally,
    plan: Plan,
    /// How often each trouble was made: kills, freezes, restarts.
    made: [usize; 3],
    /// How many were handled when that last rose, and when that was.
    progress: (u64, Duration),
    told: Duration,
    begun: Duration,
}

impl Soak {
    pub(crate) fn new(options: Options) -> Result<Self, Failure> {
        let plant = options.plant.as_deref().map(Plant::named).transpose()?;
        let folder = tempfile::Builder::new().prefix("soak-queue-").tempdir()?;
        plant.map_or(Ok(()), |plant| plant.check(&options))?;
        let host = Host::of(&options)?;
        let place = Place::choose(&options, host.as_ref(), folder.path())?;
        if let Place::Sqs { endpoint, .. } = &place {
            tell(&format!("the queues are at {endpoint}"));
        }
        Ok(Self { options, plant, folder, ledger: Ledger::create()?, host, place })
    }

    /// Runs it to its end.
    pub(crate) fn run(mut self) -> Result<Verdict, Failure> {
        let runtime = job::runtime()?;
        let visibility = self.options.visibility();
        let queues = runtime.block_on(Queues::open(&self.place, visibility))?;
        let shared = (self.options.backend == Backend::Memory).then_some(queues);
        let ledger = std::mem::replace(&mut self.ledger, Ledger::create()?);
        let mut random = Rng::with_seed(self.options.seed);
        let plan = Plan::of(&self.options, &mut random);
        let mut crew = Crew::new(&ledger, shared, random);
        self.hire(&mut crew)?;
        let begun = monotonic();
        let tally = Tally::of(ledger.path())?;
        let mut watch = Watch { tally, plan, made: [0; 3], progress: (0, begun), told: begun, begun };
        while !self.is_over(&crew, &mut watch)? {
            self.make_trouble(&mut crew, &mut watch)?;
            pause(Duration::from_millis(5));
        }
        crew.dismiss()?;
        watch.tell();
        let verdict = Verdict::of(&self.options, &ledger, &self.holds(), watch.made(Trouble::Kill))?;
        if let Ok(kept) = std::env::var("SOAK_KEEP_LOG") {
            std::fs::copy(self.holds(), kept)?;
        }
        verdict.findings().iter().for_each(|finding| tell(finding));
        self.warn(&watch);
        tell(&verdict.to_string());
        Ok(verdict)
    }

    /// Says which troubles were asked for and not made: the soak proves less than it was to.
    fn warn(&self, watch: &Watch) {
        let Options { kills, restarts, messages, .. } = self.options;
        for (trouble, asked, name) in
            [(Trouble::Kill, kills, "kills"), (Trouble::Restart, restarts, "restarts")]
        {
            let made = watch.made(trouble);
            if made < asked {
                tell(&format!(
                    "warning: {made} of {asked} {name} were made until all was over; ask for more than {messages} messages"
                ));
            }
        }
    }

    fn hire(&self, crew: &mut Crew<'_>) -> Result<(), Failure> {
        let orders = self.options.orders();
        for (at, &ordered) in orders.iter().enumerate() {
            let job = self.job(ordered);
            for style in [Style::Plain, Style::Receiver] {
                (0..CONSUMERS).try_for_each(|_| crew.hire_consumer(&job, style))?;
            }
            let (shares, all) = (PRODUCERS * orders.len() as u64, self.options.messages);
            for share in (0..PRODUCERS).map(|share| share + PRODUCERS * at as u64) {
                crew.hire_producer(&job, all * (share + 1) / shares - all * share / shares)?;
            }
        }
        Ok(())
    }

    fn job(&self, ordered: bool) -> Job {
        Job {
            role: Role::Producer { id: 0, count: 0 },
            ordered,
            place: self.place.clone(),
            visibility: self.options.visibility(),
            holds: self.holds(),
            plant: self.plant,
            seed: 0,
        }
    }

    fn holds(&self) -> PathBuf {
        self.folder.path().join("holds")
    }

    /// Whether everything is sent and handled, or nothing is handled any more.
    fn is_over(&self, crew: &Crew<'_>, watch: &mut Watch) -> Result<bool, Failure> {
        watch.tally.read_on()?;
        let now = monotonic();
        if watch.tally.handled() > watch.progress.0 || crew.is_frozen() {
            watch.progress = (watch.tally.handled(), now);
        }
        if now > watch.told + Duration::from_secs(1) {
            watch.told = now;
            watch.tell();
        }
        if now > watch.progress.1 + self.options.patience() {
            tell("nothing is handled any more; what is left is given up for lost");
            return Ok(true);
        }
        Ok(!crew.is_sending() && !crew.is_frozen() && watch.tally.open() == 0)
    }

    fn make_trouble(&mut self, crew: &mut Crew<'_>, watch: &mut Watch) -> Result<(), Failure> {
        crew.thaw();
        crew.look_after()?;
        let done = watch.tally.sent() + watch.tally.handled();
        let stage = 1000 * done / (2 * self.options.messages);
        let Some(trouble) = watch.plan.due(stage) else { return Ok(()) };
        match trouble {
            Trouble::Kill => crew.kill_one(&mut watch.tally)?,
            Trouble::Freeze => crew.freeze_one(self.options.visibility().mul_f64(1.3)),
            Trouble::Restart => self.host.iter_mut().try_for_each(Host::restart)?,
        }
        watch.made[trouble as usize] += 1;
        Ok(())
    }
}

impl Watch {
    fn made(&self, trouble: Trouble) -> usize {
        self.made[trouble as usize]
    }

    fn tell(&self) {
        let (sent, handled, [kills, freezes, restarts]) =
            (self.tally.sent(), self.tally.handled(), self.made);
        let time = monotonic().saturating_sub(self.begun);
        let rate = u128::from(handled) * 1000 / time.as_millis().max(1);
        let seconds = time.as_secs_f64();
        tell(&format!(
            "{seconds:>5.1} s: {sent} sent, {handled} handled ({rate}/s); {kills} kills, {freezes} freezes, \
             {restarts} restarts"
        ));
    }
}
