use std::collections::HashSet;
use std::io;
use std::net::TcpListener;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ports that nobody uses at this moment, and that no other game of this run is given as long as this lives. Another program can
/// still take one before the subject does.
#[derive(Debug)]
pub(in crate::engine) struct Ports(Vec<u16>);

static GIVEN: Mutex<Option<HashSet<u16>>> = Mutex::new(None);

/// How many ports are tried for each that is wanted.
const TRIES: usize = 64;

impl Ports {
    /// Chooses so many different free ports.
    pub(in crate::engine) fn choose(count: usize) -> io::Result<Ports> {
        let mut ports = Ports(Vec::new());
        let mut listeners = Vec::new();
        for _ in 0..TRIES {
            if ports.0.len() == count {
                return Ok(ports);
            }
            let listener = TcpListener::bind("127.0.0.1:0")?;
            let port = listener.local_addr()?.port();
            if given().get_or_insert_default().insert(port) {
                ports.0.push(port);
            }
            // Held until all are chosen, so that none is chosen twice.
            listeners.push(listener);
        }
        if ports.0.len() == count { Ok(ports) } else { Err(io::ErrorKind::AddrInUse.into()) }
    }

    pub(in crate::engine) fn numbers(&self) -> &[u16] {
        &self.0
    }
}

impl Drop for Ports {
    fn drop(&mut self) {
        if let Some(given) = given().as_mut() {
            given.retain(|port| !self.0.contains(port));
        }
    }
}

fn given() -> MutexGuard<'static, Option<HashSet<u16>>> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_games_are_given_the_same_port() {
        let all: Vec<_> = (0..200).map(|_| Ports::choose(2).unwrap()).collect();
        let different: HashSet<u16> = all.iter().flat_map(|ports| ports.numbers().iter().copied()).collect();
        assert_eq!(different.len(), 400);
        let one = all[0].numbers()[0];
        assert!(given().as_ref().unwrap().contains(&one));
        drop(all);
        assert!(!given().as_ref().unwrap().contains(&one));
    }
}
