//! Redrives between queues in memory, and redrives by a service of recorded answers.

mod cuts;
mod faults;
mod moves;
mod support;
mod tasks;
