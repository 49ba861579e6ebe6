//! A topic: its settings, its tags, its subscriptions.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use super::super::error::ServiceError;
use super::arn;
use super::once::Once;
use super::refusal::{invalid, no_subscription};
use super::settings::{DEFAULT_BYTES, Settings};
use super::subscription::Subscription;
use super::terms::Terms;

/// How many subscriptions a topic for messages above the default size may have (Amazon SNS API Reference,
/// `SetTopicAttributes`).
const LARGE_SUBSCRIPTIONS: usize = 100;

#[derive(Debug)]
pub(super) struct Topic {
    arn: String,
    state: Mutex<State>,
    /// What an ordered topic remembers. It is held while copies are delivered, since subscribers are to get them in the
    /// order of their numbers.
    pub(super) once: tokio::sync::Mutex<Once>,
}

#[derive(Debug)]
struct State {
    settings: Arc<Settings>,
    tags: BTreeMap<String, String>,
    subscriptions: Subscriptions,
    unsubscribed: usize,
}

/// Shared with the publishes on their way.
pub(super) type Subscriptions = Arc<Vec<Arc<Subscription>>>;

impl Topic {
    pub(super) fn new(arn: String, settings: Settings, tags: BTreeMap<String, String>) -> Self {
        let settings = Arc::new(settings);
        let state = State { settings, tags, subscriptions: Subscriptions::default(), unsubscribed: 0 };
        Self { arn, state: Mutex::new(state), once: tokio::sync::Mutex::default() }
    }

    pub(super) fn arn(&self) -> &str {
        &self.arn
    }

    pub(super) fn is_fifo(&self) -> bool {
        arn::is_fifo(&self.arn)
    }

    pub(super) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.lock().settings)
    }

    pub(super) fn set(&self, name: &str, value: &str) -> Result<(), ServiceError> {
        let mut state = self.lock();
        let mut settings = Settings::clone(&state.settings);
        settings.set(name, value, self.is_fifo())?;
        check_size(&settings, state.subscriptions.len())?;
        state.settings = Arc::new(settings);
        Ok(())
    }

    pub(super) fn tags(&self) -> BTreeMap<String, String> {
        self.lock().tags.clone()
    }

    pub(super) fn set_tags(&self, tags: BTreeMap<String, String>) {
        self.lock().tags = tags;
    }

    pub(super) fn subscriptions(&self) -> Subscriptions {
        Arc::clone(&self.lock().subscriptions)
    }

    /// How many subscriptions were ended.
    pub(super) fn unsubscribed(&self) -> usize {
        self.lock().unsubscribed
    }

    /// Subscribes a queue, or answers the subscription that it has on the same terms.
    pub(super) fn subscribe(&self, endpoint: &str, terms: Terms) -> Result<Arc<Subscription>, ServiceError> {
        let mut state = self.lock();
        if let Some(known) = state.subscriptions.iter().find(|known| known.endpoint == endpoint) {
            let other = "Attributes Reason: Subscription already exists with different attributes";
            let same = terms.is_empty() || terms.is_same(&known.terms);
            return same.then(|| Arc::clone(known)).ok_or_else(|| invalid(other));
        }
        check_size(&state.settings, state.subscriptions.len() + 1)?;
        let arn = format!("{}:{}", self.arn, Uuid::new_v4());
        let (topic_arn, endpoint) = (self.arn.clone(), endpoint.to_owned());
        let subscription = Arc::new(Subscription { arn, topic_arn, endpoint, terms });
        Arc::make_mut(&mut state.subscriptions).push(Arc::clone(&subscription));
        Ok(subscription)
    }

    /// Ends a subscription, if there is one.
    pub(super) fn unsubscribe(&self, arn: &str) {
        let mut state = self.lock();
        let before = state.subscriptions.len();
        Arc::make_mut(&mut state.subscriptions).retain(|known| known.arn != arn);
        state.unsubscribed += before - state.subscriptions.len();
    }

    /// Changes the terms of a subscription.
    pub(super) fn agree(&self, arn: &str, name: &str, value: &str) -> Result<(), ServiceError> {
        let mut state = self.lock();
        let subscriptions = Arc::make_mut(&mut state.subscriptions);
        let known = subscriptions.iter_mut().find(|known| known.arn == arn).ok_or_else(no_subscription)?;
        let terms = known.terms.with(name, value, known.is_fifo())?;
        *known = Arc::new(Subscription { terms, ..Subscription::clone(known) });
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn check_size(settings: &Settings, subscriptions: usize) -> Result<(), ServiceError> {
    let large = settings.max_bytes() > DEFAULT_BYTES;
    if large && subscriptions > LARGE_SUBSCRIPTIONS {
        return Err(invalid(format!(
            "MaximumMessageSize: a topic for messages above {DEFAULT_BYTES} bytes has at most {LARGE_SUBSCRIPTIONS} subscriptions"
        )));
    }
    Ok(())
}
