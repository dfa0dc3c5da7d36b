//! Processes as the platform shows them: those of a subject that urtext has started, and one that listens already.

/// The processes of one subject: the subject itself and all its descendants.
///
/// With a supervisor, this includes descendants whose parents have ended, and those that left the process group or the session.
#[derive(Debug, Clone)]
pub struct ProcessTree {
    /// The process whose descendants all belong to the subject: its supervisor, or the subject.
    pub(super) root: i32,
    pub(super) subject: i32,
}

/// A process that urtext has not started, and that listens at an address of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerProcess {
    /// The process id.
    pub pid: i32,
    /// The name of the program, cut to 15 bytes by Linux.
    pub name: String,
    /// Tells it from a later process of the same id.
    start_time: u64,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::SocketAddr;
    use std::time::Duration;

    use procfs::net::TcpState;
    use procfs::process::{FDTarget, Process, Stat, StatFlags, all_processes};

    use super::{ProcessTree, ServerProcess};
    use crate::event::Processes;

    impl ProcessTree {
        /// Returns the time that the living processes were runnable but did not run, as far as the platform shows it.
        #[must_use]
        pub fn run_delay(&self) -> Duration {
            self.living().iter().map(|(_, delay)| delay).sum()
        }

        /// Samples all processes now: about 0.1 ms for a subject of one process. Returns `None` where the platform shows nothing, or
        /// when no process is left.
        ///
        /// Call it only while the [`super::super::Process`] exists: later the process id may belong to another process.
        #[must_use]
        pub fn sample(&self) -> Option<Processes> {
            let processes = self.living();
            let used = |stat: &Stat| {
                stat.utime + stat.stime + (stat.cutime + stat.cstime).max(0).cast_unsigned()
            };
            let ticks = processes.iter().map(|(stat, _)| used(stat)).sum();
            let is_any = !processes.is_empty();
            let living = processes
                .into_iter()
                .map(|(stat, _)| stat)
                .filter(|stat| !has_ended(stat));
            let (subject, started): (Vec<_>, Vec<_>) =
                living.partition(|stat| stat.pid == self.subject);
            is_any.then(|| Processes {
                lives: !subject.is_empty(),
                is_stopped: subject.iter().any(is_stopped),
                computed: Duration::from_secs(ticks)
                    / u32::try_from(procfs::ticks_per_second()).unwrap_or(100),
                started: started.into_iter().map(|stat| stat.comm).collect(),
            })
        }

        /// Returns true if the subject has ended or is ending: its streams may be closed already, and its exit status is on its way. False
        /// where the platform shows nothing.
        #[must_use]
        pub fn has_ended(&self) -> bool {
            let stat = Process::new(self.subject).and_then(|process| process.stat());
            stat.map_or(true, |stat| {
                stat.flags & StatFlags::PF_EXITING.bits() != 0 || has_ended(&stat)
            })
        }

        /// The processes that exist, parents before their children, each with the time that its living threads were runnable but did not
        /// run since they began.
        pub(super) fn living(&self) -> Vec<(Stat, Duration)> {
            let mut pids = vec![self.root];
            let mut processes = Vec::new();
            let mut next = 0;
            while let Some(&pid) = pids.get(next) {
                next += 1;
                // A process can end at any moment.
                let Ok(process) = Process::new(pid) else {
                    continue;
                };
                let mut run_delay = 0;
                for task in process.tasks().into_iter().flatten().flatten() {
                    let children = task.children().unwrap_or_default();
                    let children = children.into_iter().map(u32::cast_signed);
                    let fresh: Vec<_> = children.filter(|pid| !pids.contains(pid)).collect();
                    pids.extend(fresh);
                    run_delay += task
                        .schedstat()
                        .map_or(0, |statistics| statistics.run_delay);
                }
                if let Some(stat) = process
                    .stat()
                    .ok()
                    .filter(|_| pid != self.root || pid == self.subject)
                {
                    processes.push((stat, Duration::from_nanos(run_delay)));
                }
            }
            processes
        }
    }

    /// Returns true for a process that was stopped by a signal (SIGSTOP, SIGTSTP) or by a debugger.
    fn is_stopped(stat: &Stat) -> bool {
        matches!(stat.state, 'T' | 't')
    }

    /// Returns true for a process that has ended, and that its parent has not waited for.
    fn has_ended(stat: &Stat) -> bool {
        matches!(stat.state, 'Z' | 'X' | 'x')
    }

    impl ServerProcess {
        /// The process that listens at this loopback address, `HOST:PORT`. Reads the descriptors of all processes of this user: some
        /// milliseconds.
        #[must_use]
        pub fn find(address: &str) -> Option<ServerProcess> {
            let port = loopback_port(address)?;
            let tables = [procfs::net::tcp(), procfs::net::tcp6()];
            let mut sockets = tables.into_iter().flatten().flatten();
            let listening = sockets.find(|socket| {
                socket.state == TcpState::Listen && socket.local_address.port() == port
            })?;
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
                start_time: stat.starttime,
            })
        }

        /// What it does, in words, and whether it plays no more; `None` when it has ended.
        #[must_use]
        pub fn state(&self) -> Option<(&'static str, bool)> {
            let stat = Process::new(self.pid).and_then(|process| process.stat());
            let is_it = |stat: &Stat| stat.starttime == self.start_time && !has_ended(stat);
            let stat = stat.ok().filter(is_it)?;
            Some(match stat.state {
                _ if is_stopped(&stat) => ("was stopped by a signal", true),
                'R' => ("was computing", false),
                _ => ("was waiting", false),
            })
        }
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
        use std::net::TcpListener;

        use super::*;

        #[test]
        fn finds_who_listens() {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap().to_string();
            let found = ServerProcess::find(&address).unwrap();
            assert_eq!(found.pid.cast_unsigned(), std::process::id());
            assert!(found.state().is_some());
            drop(listener);
            // A program that another test starts meanwhile has the socket for a moment.
            while ServerProcess::find(&address).is_some() {
                std::thread::yield_now();
            }
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
mod elsewhere {
    use std::time::Duration;

    use super::{ProcessTree, ServerProcess};
    use crate::event::Processes;

    /// This platform shows nothing.
    impl ProcessTree {
        /// Returns zero.
        #[must_use]
        pub fn run_delay(&self) -> Duration {
            Duration::ZERO
        }

        /// Returns `None`.
        #[must_use]
        pub fn sample(&self) -> Option<Processes> {
            None
        }

        /// Returns false.
        #[must_use]
        pub fn has_ended(&self) -> bool {
            false
        }
    }

    /// This platform shows nothing.
    impl ServerProcess {
        /// Returns `None`.
        #[must_use]
        pub fn find(_address: &str) -> Option<ServerProcess> {
            None
        }

        /// Returns `None`.
        #[must_use]
        pub fn state(&self) -> Option<(&'static str, bool)> {
            None
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::*;

    /// Starts a script that writes a line when it is ready and then reads its input.
    fn ready(script: &str) -> (Child, ProcessTree) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let stdout = process.stdout.as_mut().unwrap();
        stdout.read_exact(&mut [0; 2]).unwrap();
        let subject = process.id().cast_signed();
        let root = subject;
        (process, ProcessTree { root, subject })
    }

    #[test]
    fn shows_the_subject_and_its_descendants_and_what_they_have_used() {
        // The child works until it has used 50 ms of processor time, and then waits with its parent.
        let work = "n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done; echo ok; read x <&3";
        let (mut process, tree) = ready(&format!("exec 3<&0; sh -c '{work}' & wait"));
        let processes = tree.living();
        let [(subject, first), (child, second)] = &processes[..] else {
            panic!("{processes:?}")
        };
        assert_eq!((subject.pid, &*subject.comm), (tree.subject, "sh"));
        assert!(child.utime + child.stime >= 2, "{processes:?}");
        let sample = tree.sample().unwrap();
        assert!(sample.lives && !sample.is_stopped, "{sample:?}");
        assert_eq!(sample.started, ["sh"]);
        assert!(sample.computed >= Duration::from_millis(20), "{sample:?}");
        // Not every kernel counts it.
        assert!(tree.run_delay() >= *first + *second);
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!(tree.sample(), None);
    }

    #[test]
    fn tells_a_stopped_process_and_one_that_has_ended() {
        let (mut process, tree) = ready("echo ok; read x");
        let sample = || tree.sample().unwrap();
        let pid = Pid::from_raw(tree.subject);
        kill(pid, Signal::SIGSTOP).unwrap();
        // A signal is delivered a moment later.
        while !sample().is_stopped {
            std::thread::yield_now();
        }
        kill(pid, Signal::SIGKILL).unwrap();
        while sample().lives {
            std::thread::yield_now();
        }
        process.wait().unwrap();
    }
}
