//! A free port on the loopback interface.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
};

/// The preferred port if it is free, so that URLs stay what they were; else, and if it is 0, any free one.
///
/// # Errors
/// When no port is free.
pub(super) fn choose(preferred: u16) -> io::Result<u16> {
    if preferred != 0 && is_free(preferred) {
        return Ok(preferred);
    }
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Whether nobody listens there now. Somebody may a moment later.
fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_port_is_kept_and_an_occupied_one_is_left_to_whoever_has_it() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        assert!(!is_free(port));
        assert_ne!(choose(port).unwrap(), port);
        drop(taken);
        assert_eq!(choose(port).unwrap(), port);
    }
}
