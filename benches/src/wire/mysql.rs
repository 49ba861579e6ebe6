//! Requests in MySQL's protocol: packets that begin a command.

/// Commands that are no work: `COM_QUIT`, `COM_PING`, `COM_STMT_PREPARE`, `COM_STMT_CLOSE`.
const UNCOUNTED: [u8; 4] = [0x01, 0x0e, 0x16, 0x19];

/// Reads what a client sends.
#[derive(Debug, Default)]
pub(super) struct Requests(Vec<u8>);

impl Requests {
    /// Takes in bytes, and answers how many round trips they begin. Packets of the login carry other numbers than the
    /// first of a command, zero.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> u64 {
        self.0.extend_from_slice(bytes);
        let mut trips = 0;
        while let Some(length) = self.length() {
            let begins = self.0[3] == 0 && !UNCOUNTED.contains(self.0.get(4).unwrap_or(&0x0e));
            trips += u64::from(begins);
            self.0.drain(..length);
        }
        trips
    }

    /// The length of the next packet with its head, if it is whole.
    fn length(&self) -> Option<usize> {
        let head = self.0.get(..4)?;
        let length = 4 + u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize;
        (self.0.len() >= length).then_some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_trip_and_a_ping_a_login_or_a_preparation_is_none() {
        let packet = |number: u8, command: u8| vec![2, 0, 0, number, command, 7];
        let mut requests = Requests::default();
        assert_eq!(requests.feed(&packet(1, 0x03)), 0);
        assert_eq!(requests.feed(&[packet(0, 0x0e), packet(0, 0x16), packet(0, 0x17)].concat()), 1);
        let query = packet(0, 0x03);
        assert_eq!((requests.feed(&query[..3]), requests.feed(&query[3..])), (0, 1));
    }
}
