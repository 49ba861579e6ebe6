//! The one thing that a broken queue does wrong.

use super::content::Content;
use super::inspecting::Inspecting;
use super::publishing::Publishing;
use super::receiving::Receiving;
use super::setting_up::SettingUp;
use super::settling::Settling;

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Publish(Publishing),
    Receive(Receiving),
    Content(Content),
    Settle(Settling),
    Inspect(Inspecting),
    SetUp(SettingUp),
}
