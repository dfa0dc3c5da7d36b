//! The process that listens at an address of this machine, where the platform shows it.

use super::observed::ProcessState;

/// A process that urtext has not started, and that listens at an address of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerProcess {
    /// The process id.
    pub pid: i32,
    /// The name of the program, cut to 15 bytes by Linux.
    pub name: String,
    port: u16,
    /// Tells it from a later process of the same id.
    start_time: u64,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::SocketAddr;

    use procfs::net::{TcpNetEntry, TcpState};
    use procfs::process::{FDTarget, Process, all_processes};

    use super::{ProcessState, ServerProcess};

    impl ServerProcess {
        /// The process that listens at this loopback address, `HOST:PORT`. Reads the descriptors of all processes of this user: some
        /// milliseconds.
        #[must_use]
        pub fn find(address: &str) -> Option<ServerProcess> {
            let port = loopback_port(address)?;
            let listening =
                sockets().find(|socket| socket.state == TcpState::Listen && is_at(socket, port))?;
            let is_its_socket = |process: &Process| {
                let mut descriptors = process.fd().into_iter().flatten().flatten();
                descriptors.any(|descriptor| matches!(descriptor.target, FDTarget::Socket(inode) if inode == listening.inode))
            };
            // Children have the socket as well, at least until they run a program of their own.
            let holders = all_processes().ok()?.flatten().filter(is_its_socket);
            let stats = holders.filter_map(|process| process.stat().ok());
            let stat = stats.min_by_key(|stat| stat.starttime)?;
            Some(ServerProcess {
                pid: stat.pid,
                name: stat.comm,
                port,
                start_time: stat.starttime,
            })
        }

        /// Its state; `None` when it has ended.
        #[must_use]
        pub fn state(&self) -> Option<ProcessState> {
            let stat = Process::new(self.pid)
                .and_then(|process| process.stat())
                .ok()?;
            if stat.starttime != self.start_time {
                return None;
            }
            match ProcessState::of(stat.state) {
                ProcessState::Zombie => None,
                state => Some(state),
            }
        }

        /// Returns the number of unread bytes in the process's connections at that port.
        #[must_use]
        pub fn unread(&self) -> u64 {
            let connections = sockets()
                .filter(|socket| socket.state != TcpState::Listen && is_at(socket, self.port));
            connections.map(|socket| u64::from(socket.rx_queue)).sum()
        }
    }

    fn is_at(socket: &TcpNetEntry, port: u16) -> bool {
        socket.local_address.port() == port
    }

    fn sockets() -> impl Iterator<Item = TcpNetEntry> {
        procfs::net::tcp()
            .into_iter()
            .chain(procfs::net::tcp6())
            .flatten()
    }

    /// The port of an address that cannot be on another machine.
    fn loopback_port(address: &str) -> Option<u16> {
        let (host, port) = address.rsplit_once(':')?;
        let is_loopback = host == "localhost"
            || address
                .parse::<SocketAddr>()
                .is_ok_and(|address| address.ip().is_loopback());
        port.parse().ok().filter(|_| is_loopback)
    }

    #[cfg(test)]
    mod tests {
        use std::io::Write;
        use std::net::{TcpListener, TcpStream};

        use super::*;

        #[test]
        fn finds_who_listens_and_what_it_has_not_read() {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap().to_string();
            let found = ServerProcess::find(&address).unwrap();
            assert_eq!(found.pid.cast_unsigned(), std::process::id());
            assert!(found.state().is_some());
            let mut client = TcpStream::connect(&address).unwrap();
            let (connection, _) = listener.accept().unwrap();
            client.write_all(b"3\n").unwrap();
            assert_eq!(found.unread(), 2);
            drop((listener, connection, client));
            assert_eq!(ServerProcess::find(&address), None);
            // A later process of the same id is another one.
            assert_eq!(
                ServerProcess {
                    start_time: 0,
                    ..found
                }
                .state(),
                None
            );
        }

        #[test]
        fn looks_only_at_addresses_of_this_machine() {
            let port = |address| loopback_port(address);
            assert_eq!(
                (port("127.0.0.1:80"), port("[::1]:80"), port("localhost:80")),
                (Some(80), Some(80), Some(80))
            );
            assert_eq!((port("192.0.2.7:80"), port("example.org:80")), (None, None));
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl ServerProcess {
    /// Returns `None`: this platform shows nothing.
    #[must_use]
    pub fn find(_address: &str) -> Option<ServerProcess> {
        None
    }

    /// Returns `None`: this platform shows nothing.
    #[must_use]
    pub fn state(&self) -> Option<ProcessState> {
        None
    }

    /// Returns 0: this platform shows nothing.
    #[must_use]
    pub fn unread(&self) -> u64 {
        0
    }
}
