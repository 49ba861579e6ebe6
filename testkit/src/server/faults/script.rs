//! A script of faults.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Cut, Fault, Rule};

/// A script of faults: its rules, each of which is asked about each call, in their order.
///
/// All that strike a call are played: delays add up, and the first fault that leaves the call without its own answer is
/// the one. In JSON it is the list of its rules; an empty one plays nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Rule>", into = "Vec<Rule>")]
pub struct FaultScript {
    rules: Vec<Rule>,
}

impl FaultScript {
    /// Makes a script of rules.
    ///
    /// # Panics
    /// If a rule makes no sense, with the reason.
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Self {
        match Self::try_from(rules.into_iter().collect::<Vec<_>>()) {
            Ok(script) => script,
            Err(error) => panic!("{error}"),
        }
    }

    /// The script of a service's acceptance: of the calls that work with messages one in so many fails, in turn by
    /// being throttled, by a reset connection, by an internal error, by a lost answer and, if it is a batch, by the failure of
    /// some of its entries.
    ///
    /// `in_turn(5)`, by which a fifth of the calls fail, is this document:
    ///
    /// ```json
    /// [{"every":5,"seed":1,"turns":[
    ///     {"throttled":true},
    ///     {"cut":"before"},
    ///     {"error":"InternalError"},
    ///     {"cut":"after"},
    ///     {"partial":["InternalError",null,"ServiceUnavailable"]}
    /// ]}]
    /// ```
    ///
    /// # Panics
    /// If `every` is 0.
    pub fn in_turn(every: u64) -> Self {
        let turns = [
            Fault::throttled(),
            Fault::cut(Cut::Before),
            Fault::error("InternalError"),
            Fault::cut(Cut::After),
            Fault::partial([Some("InternalError"), None, Some("ServiceUnavailable")]),
        ];
        Self::new([Rule::in_turn(turns).with_every(every).with_seed(1)])
    }

    /// Reads a script from JSON.
    ///
    /// # Errors
    /// What in it makes no sense.
    pub fn parse(json: &str) -> Result<Self, FaultScriptError> {
        serde_json::from_str(json).map_err(|error| FaultScriptError(error.to_string()))
    }

    /// Its rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

impl TryFrom<Vec<Rule>> for FaultScript {
    type Error = FaultScriptError;

    fn try_from(rules: Vec<Rule>) -> Result<Self, FaultScriptError> {
        for (number, rule) in rules.iter().enumerate() {
            rule.check().map_err(|why| FaultScriptError(format!("rule {number}, counted from 0: {why}")))?;
        }
        Ok(Self { rules })
    }
}

impl From<FaultScript> for Vec<Rule> {
    fn from(script: FaultScript) -> Self {
        script.rules
    }
}

/// A script makes no sense, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultScriptError(String);

impl fmt::Display for FaultScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FaultScriptError {}
