//! The table, row by row, through the SDK's own parsing.

mod answers;
mod document;
mod entries;
mod garbage;
mod replay;
#[cfg(feature = "sns")]
mod topics;
mod wire;
