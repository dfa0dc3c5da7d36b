//! Free ports for subjects that listen.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::ops::Range;

use tokio::net::TcpSocket;

/// Ports that nobody uses at this moment, and that no other game is given as long as this lives, of this run or of another one.
/// A program that takes the same number by itself can still be there before the subject.
#[derive(Debug)]
pub(in crate::engine) struct Ports(Vec<Port>);

/// Number of ports that are tried for each port that is needed.
const TRIES: usize = 64;

/// The ports to choose from, as far as the system does not hand them out by itself: to whoever listens at port 0, and to every
/// connection for its own end.
const QUIET: Range<u16> = 16_384..32_768;

/// Fewer than so many are too few to choose from.
const FEWEST: usize = 4_096;

/// A port that is kept.
#[derive(Debug)]
struct Port {
    number: u16,
    /// The UDP port of the same number: the subject does not need it, all of this machine see who holds it, and it falls back to the
    /// system with this process however that ends.
    _claim: UdpSocket,
}

impl Ports {
    /// Chooses so many different free ports.
    pub(in crate::engine) fn choose(count: usize) -> io::Result<Ports> {
        let quiet = quiet();
        let random = RandomState::new();
        let mut ports = Vec::new();
        for attempt in 0..TRIES * count {
            if ports.len() == count {
                break;
            }
            let number = match &quiet {
                Some(range) => {
                    let place = random.hash_one(attempt) % range.len() as u64;
                    range.start + u16::try_from(place).expect("there are no more ports")
                }
                None => TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
                    .local_addr()?
                    .port(),
            };
            ports.extend(Port::claim(number));
        }
        if ports.len() == count {
            Ok(Ports(ports))
        } else {
            Err(io::ErrorKind::AddrInUse.into())
        }
    }

    /// The number of each.
    pub(in crate::engine) fn number(&self, place: usize) -> u16 {
        self.0[place].number
    }
}

impl Port {
    /// Takes this port, if nobody has it.
    fn claim(number: u16) -> Option<Port> {
        let claim = UdpSocket::bind((Ipv4Addr::LOCALHOST, number)).ok()?;
        // Not every subject asks for a port whose last connections are still dying away, as a listener here would do.
        let probe = TcpSocket::new_v4().ok()?;
        probe.bind((Ipv4Addr::UNSPECIFIED, number).into()).ok()?;
        Some(Port {
            number,
            _claim: claim,
        })
    }
}

/// The ports that the system hands out to nobody; `None` where there are too few of them.
fn quiet() -> Option<Range<u16>> {
    let known = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range");
    let first = known
        .ok()
        .and_then(|range| range.split_whitespace().next()?.parse().ok());
    let quiet = QUIET.start..first.unwrap_or(QUIET.end).min(QUIET.end);
    (quiet.len() >= FEWEST).then_some(quiet)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_games_are_given_the_same_port() {
        let all: Vec<_> = (0..200).map(|_| Ports::choose(2).unwrap()).collect();
        let different: HashSet<u16> = all
            .iter()
            .flat_map(|ports| [ports.number(0), ports.number(1)])
            .collect();
        assert_eq!(different.len(), 400);
    }

    #[test]
    fn a_port_that_somebody_listens_at_or_keeps_is_not_given() {
        let ports = Ports::choose(1).unwrap();
        let number = ports.number(0);
        assert!(Port::claim(number).is_none(), "it is kept for another game");
        drop(ports);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, number)).unwrap();
        assert!(Port::claim(number).is_none(), "somebody listens there");
        drop(listener);
        assert!(Port::claim(number).is_some());
    }

    #[test]
    fn a_port_with_connections_that_die_away_is_not_given() {
        let ports = Ports::choose(1).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, ports.number(0))).unwrap();
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        // Who closes first keeps its end for a while.
        server.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(io::copy(&mut &client, &mut io::sink()).unwrap(), 0);
        drop((client, server, listener));
        let number = ports.number(0);
        drop(ports);
        assert!(Port::claim(number).is_none());
    }
}
