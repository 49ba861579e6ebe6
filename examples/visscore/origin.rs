//! Where a message comes from: which run sent it, and its number there.

use std::sync::Arc;

use queue_core::Context;

use crate::visit::{LINE, RUN, VISIT};

/// A visit by the id that the producer gave it, or a malformed line by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The run that sent it; `None` if somebody else did.
    pub(crate) run: Option<Arc<str>>,
    /// The number; `None` if somebody else sent it.
    pub(crate) number: Option<u64>,
}

impl Origin {
    /// The origin of a visit.
    pub(crate) fn of_visit(context: &Context) -> Self {
        Self::read(context, VISIT)
    }

    /// The origin of a malformed line.
    pub(crate) fn of_line(context: &Context) -> Self {
        Self::read(context, LINE)
    }

    fn read(context: &Context, number: &str) -> Self {
        let attributes = context.message().attributes();
        Self {
            run: attributes.text(RUN).map(Arc::from),
            number: attributes.text(number).and_then(|number| number.parse().ok()),
        }
    }
}
