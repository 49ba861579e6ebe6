//! A call to the database: by its deadline, tried again where the database asks for it.

use std::time::Duration;

use sqlx::Pool;
use tokio::time::{Instant, sleep, timeout_at};

use super::dialect::Step;
use super::fault::Fault;
use super::lent::Lent;
use super::text::Text;
use super::{Dialect, SqlSemaphore};
use crate::SemaphoreError;

/// The first pause before a try again; each next one is twice as long, with jitter.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// One statement of a dialect.
pub(super) type Ask<D, A, T> =
    for<'c> fn(&'c mut <D as sqlx::Database>::Connection, &'c Text, &'c A) -> Step<'c, T>;

/// One call: when it ends, and in which way it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    what: &'static str,
    ends: Instant,
    /// In a transaction of its own that sees what is committed.
    isolated: bool,
}

impl Call {
    /// Makes one call, without trying again. Answers when it was sent, too.
    async fn once<D: Dialect, A: Sync + ?Sized, T>(
        self,
        (pool, text): (&Pool<D>, &Text),
        step: Ask<D, A, T>,
        ask: &A,
    ) -> Result<(Instant, T), (Fault, SemaphoreError)> {
        let mut lent = match timeout_at(self.ends, Lent::from(pool)).await {
            Ok(Ok(lent)) => lent,
            Ok(Err(error)) => {
                let fault = Fault::of_pool::<D>(&error);
                return Err((fault, fault.error(self.what, error)));
            }
            Err(_) => {
                return Err(
                    self.late(Fault { advice: "no connection was free by the deadline", ..Fault::TRANSIENT })
                );
            }
        };
        let sent = Instant::now();
        match timeout_at(self.ends, self.run(&mut lent, text, (step, ask))).await {
            Ok(Ok(answer)) => {
                lent.give_back();
                Ok((sent, answer))
            }
            Ok(Err(error)) => Err(self.failed(lent, error)),
            Err(_) => Err(self.late(Fault { advice: "no answer came by the deadline", ..Fault::CUT_OFF })),
        }
    }

    async fn run<D: Dialect, A: Sync + ?Sized, T>(
        self,
        lent: &mut Lent<D>,
        text: &Text,
        (step, ask): (Ask<D, A, T>, &A),
    ) -> Result<T, sqlx::Error> {
        let connection = lent.connection()?;
        if !self.isolated {
            return step(connection, text, ask).await;
        }
        D::begin(connection).await?;
        let answer = step(connection, text, ask).await?;
        D::commit(connection).await?;
        Ok(answer)
    }

    /// Judges an error, and keeps the connection if it is sound: in a transaction it never is, as that is still open.
    fn failed<D: Dialect>(self, lent: Lent<D>, error: sqlx::Error) -> (Fault, SemaphoreError) {
        let fault = Fault::of::<D>(&error);
        if fault.sound && !self.isolated {
            lent.give_back();
        }
        (fault, fault.error(self.what, error))
    }

    fn late(self, fault: Fault) -> (Fault, SemaphoreError) {
        (fault, SemaphoreError::new(fault.kind, format!("can't {}: {}", self.what, fault.advice)))
    }

    /// Waits before a try again; `false` if the deadline comes first.
    async fn pause(self, tries: u32) -> bool {
        let longest = FIRST_PAUSE.saturating_mul(1 << tries.min(6)).min(LONGEST_PAUSE);
        let pause = longest.mul_f64(0.5 + fastrand::f64() / 2.0);
        if Instant::now() + pause >= self.ends {
            return false;
        }
        sleep(pause).await;
        true
    }
}

impl<D: Dialect> SqlSemaphore<D> {
    /// Makes a call, again as long as the database asks for it, by the deadline.
    pub(super) async fn call<A: Sync + ?Sized, T>(
        &self,
        what: &'static str,
        step: Ask<D, A, T>,
        ask: &A,
    ) -> Result<T, SemaphoreError> {
        Ok(self.call_by(self.ends(), (what, step), ask).await?.1)
    }

    /// The same with a deadline given. Answers when the last try was sent, too.
    pub(super) async fn call_by<A: Sync + ?Sized, T>(
        &self,
        ends: Instant,
        (what, step): (&'static str, Ask<D, A, T>),
        ask: &A,
    ) -> Result<(Instant, T), SemaphoreError> {
        let text = self.text()?;
        let mut call = Call { what, ends, isolated: !text.prepared };
        let mut tries = 0;
        loop {
            match call.once((self.pool_here(), text), step, ask).await {
                Ok(answer) => return Ok(answer),
                Err((fault, error)) if !fault.again || !call.pause(tries).await => return Err(error),
                Err(_) => tries += 1,
            }
            call.isolated = true;
        }
    }

    /// When a call that begins now ends.
    pub(super) fn ends(&self) -> Instant {
        Instant::now() + self.deadline
    }
}
