//! A block of IP addresses.

use std::net::IpAddr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cidr {
    start: IpAddr,
    bits: u32,
}

impl Cidr {
    /// Reads a block such as `10.0.0.0/24`.
    ///
    /// # Errors
    /// What is wrong with it, in the service's words.
    pub(super) fn parse(block: &str) -> Result<Self, String> {
        let (start, bits) = block.split_once('/').ok_or("Malformed CIDR, one '/' required")?;
        let bits = bits.parse().map_err(|_| "Malformed CIDR, mask bits must be an integer")?;
        let start = start.parse().map_err(|_| format!("Nonstandard IP address: {start}"))?;
        let block = Self { start, bits };
        if bits > block.width() {
            Err("Malformed CIDR, mask bits are too many".to_owned())
        } else {
            Ok(block)
        }
    }

    pub(super) fn contains(&self, address: &str) -> bool {
        let Ok(address) = address.parse::<IpAddr>() else { return false };
        address.is_ipv4() == self.start.is_ipv4() && self.network(address) == self.network(self.start)
    }

    fn network(&self, address: IpAddr) -> Option<u128> {
        let number = match address {
            IpAddr::V4(address) => u128::from(address.to_bits()),
            IpAddr::V6(address) => address.to_bits(),
        };
        number.checked_shr(self.width() - self.bits)
    }

    fn width(&self) -> u32 {
        if self.start.is_ipv4() { 32 } else { 128 }
    }
}
