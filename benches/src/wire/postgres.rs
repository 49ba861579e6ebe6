//! Requests in PostgreSQL's protocol: a simple query, or an execution that ends with a sync.

/// Reads what a client sends.
#[derive(Debug, Default)]
pub(super) struct Requests {
    pending: Vec<u8>,
    started: bool,
    executes: bool,
}

impl Requests {
    /// Takes in bytes, and answers how many round trips they begin.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> u64 {
        self.pending.extend_from_slice(bytes);
        let mut trips = 0;
        while let Some(message) = self.next() {
            trips += u64::from(self.is_trip(message));
        }
        trips
    }

    /// The type of the next whole message. The first ones have none: `SSLRequest` and `StartupMessage`.
    fn next(&mut self) -> Option<u8> {
        let head = usize::from(self.started);
        let length = self.pending.get(head..head + 4)?;
        let length = u32::from_be_bytes(length.try_into().ok()?) as usize;
        if self.pending.len() < head + length {
            return None;
        }
        let kind = if self.started { self.pending[0] } else { 0 };
        let is_ssl_request = length == 8;
        self.started |= !is_ssl_request;
        self.pending.drain(..head + length);
        Some(kind)
    }

    /// A sync without an execution before it prepares a statement, or is a pool's ping.
    fn is_trip(&mut self, message: u8) -> bool {
        match message {
            b'E' => {
                self.executes = true;
                false
            }
            b'S' => std::mem::take(&mut self.executes),
            b'Q' => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8) -> Vec<u8> {
        [&[kind][..], &6_u32.to_be_bytes(), b"xx"].concat()
    }

    #[test]
    fn a_query_and_an_execution_are_trips_and_a_parse_or_a_ping_is_none() {
        let mut requests = Requests::default();
        let start = [&8_u32.to_be_bytes()[..], b"ssl?", &9_u32.to_be_bytes(), b"start"].concat();
        assert_eq!(requests.feed(&start), 0);
        let kinds = |kinds: &[u8]| kinds.iter().flat_map(|kind| message(*kind)).collect::<Vec<_>>();
        assert_eq!(requests.feed(&kinds(b"pPDS")), 0);
        assert_eq!(requests.feed(&kinds(b"BES")), 1);
        assert_eq!(requests.feed(&kinds(b"S")), 0);
        assert_eq!(requests.feed(&kinds(b"Q")), 1);
        let (first, rest) = (kinds(b"BES"), kinds(b"X"));
        let cut = first.len() - 1;
        assert_eq!((requests.feed(&first[..cut]), requests.feed(&[&first[cut..], &rest].concat())), (0, 1));
    }
}
