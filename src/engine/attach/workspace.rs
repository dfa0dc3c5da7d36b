//! The inputs of a subject at its start: values, environment variables, files of the game, free ports.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio::net::TcpSocket;

use crate::config::Values;
use crate::platform::only_owner;
use crate::transport::Breakdown;

/// The inputs of a subject at its start.
#[derive(Debug, Default)]
pub(crate) struct Given {
    /// The values of the places of its command.
    pub(crate) values: Values,
    /// Variables of its environment.
    pub(crate) environment: Vec<(String, String)>,
    /// Files that are made for the game.
    pub(crate) workspace: Workspace,
}

/// The folder of one game for what is made for it: rolls, sockets, named pipes, the working folder. Only the user can open it, and it is
/// gone when the game is over. It is made when something is first put into it.
#[derive(Debug, Default)]
pub(crate) struct Workspace(Option<TempDir>);

impl Workspace {
    /// The folder, if there is one already.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.0.as_ref().map(TempDir::path)
    }

    /// A path in the folder.
    pub(crate) fn place(&mut self, name: &str) -> Result<PathBuf, Breakdown> {
        let folder = match self.0.take() {
            Some(folder) => folder,
            None => {
                let made = tempfile::Builder::new()
                    .prefix("urtext-")
                    .permissions(only_owner())
                    .tempdir();
                made.map_err(no_folder)?
            }
        };
        Ok(self.0.insert(folder).path().join(name))
    }

    /// A new empty folder in it.
    pub(crate) fn folder(&mut self, name: &str) -> Result<PathBuf, Breakdown> {
        let path = self.place(name)?;
        std::fs::create_dir(&path).map_err(no_folder)?;
        Ok(path)
    }

    /// A new file in it.
    pub(crate) fn file(&mut self, name: &str, text: &str) -> Result<PathBuf, Breakdown> {
        let path = self.place(name)?;
        std::fs::write(&path, text).map_err(|error| {
            Breakdown::no_file("the forced rolls cannot be written to a file", &error)
        })?;
        Ok(path)
    }
}

fn no_folder(error: io::Error) -> Breakdown {
    Breakdown::no_file("there is no folder for the game", &error)
}

/// Ports that nobody uses at this moment, and that no other game is given as long as this lives, of this run or of another one.
/// A program that takes the same number by itself can still be there before the subject.
#[derive(Debug)]
pub(super) struct Ports(Vec<Port>);

/// Number of ports that are tried for each port that is needed.
const TRIES: usize = 64;

/// The ports to choose from: usual systems hand none of them out by themselves, to whoever listens at port 0, and to every connection for
/// its own end.
const QUIET: Range<u16> = 16_384..32_768;

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
    pub(super) fn choose(count: usize) -> io::Result<Ports> {
        let random = RandomState::new();
        let mut ports = Vec::new();
        for attempt in 0..TRIES * count {
            if ports.len() == count {
                break;
            }
            let place = random.hash_one(attempt) % QUIET.len() as u64;
            let number = QUIET.start + u16::try_from(place).expect("there are no more ports");
            ports.extend(Port::claim(number));
        }
        if ports.len() == count {
            Ok(Ports(ports))
        } else {
            Err(io::ErrorKind::AddrInUse.into())
        }
    }

    /// The number of each.
    pub(super) fn number(&self, place: usize) -> u16 {
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn is_there_only_where_needed_for_the_user_alone_and_then_gone() {
        let mut workspace = Workspace::default();
        assert_eq!(workspace.path(), None);
        let file = workspace.file("rolls", "0011\n").unwrap();
        let folder = workspace.folder("work").unwrap();
        let path = workspace.path().unwrap().to_owned();
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o700
        );
        assert!(file.starts_with(&path) && folder.is_dir());
        drop(workspace);
        assert!(!path.exists());
    }

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
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, number)).unwrap();
        assert!(Port::claim(number).is_none(), "somebody listens there");
        drop(listener);
        assert!(Port::claim(number).is_some());
    }

    #[test]
    fn a_port_with_connections_that_die_away_is_not_given() {
        let ports = Ports::choose(1).unwrap();
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, ports.number(0))).unwrap();
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
