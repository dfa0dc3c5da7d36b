//! System calls in which a subject's processes sleep, and a check that they have read everything that was
//! sent.
//!
//! The processes go on while they are looked at, and are not trusted: whatever cannot be read, or is more than a subject that waits
//! has, is not seen.

use std::collections::BTreeSet;
use std::io::Read;
use std::net::SocketAddr;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use nix::libc;
use procfs::process::{Process, Syscall};

use super::observed::{ProcessSample, ProcessState};
use crate::transport::FarEnd;

/// Limits on the data that is read: processes, threads of a process, open files of a process, values in its
/// memory, bytes of a text.
const PROCESSES: usize = 64;
const THREADS: usize = 256;
const FILES: usize = 1024;
const VALUES: usize = 128;
const TEXT: u64 = 64 * 1024;

impl ProcessSample {
    /// Present where all processes are asleep and have read all that was sent on these lanes, of which there is at least one: the lanes
    /// that they wait to read, as far as the calls show in which they sleep. `None` where a process computes, bytes are unread, or
    /// something cannot be seen.
    ///
    /// Call it only while the [`super::Process`] exists.
    #[must_use]
    pub fn asleep(&self, lanes: &[(usize, FarEnd)]) -> Option<Vec<usize>> {
        let (mut held, mut holders, mut awaited) = (BTreeSet::new(), 0, BTreeSet::new());
        let mut links: Option<Vec<(PathBuf, usize)>> = None;
        if self.processes.len() > PROCESSES {
            return None;
        }
        for process in self
            .processes
            .iter()
            .filter(|process| process.state != ProcessState::Zombie)
        {
            let process = Process::new(process.pid).ok()?;
            let calls = calls(&process)?;
            // A shell that waits for the program holds the program's pipes as well.
            if calls.iter().all(|call| *call == Call::AwaitsChild) {
                continue;
            }
            if links.is_none() {
                links = Some(self::links(&process, lanes)?);
            }
            let files = files(&process, links.as_deref().unwrap_or_default())?;
            if files.is_empty() {
                continue;
            }
            holders += 1;
            held.extend(files.iter().map(|(_, lane)| *lane));
            let read = calls.iter().flat_map(Call::files).collect::<BTreeSet<_>>();
            awaited.extend(
                files
                    .iter()
                    .filter(|(fd, _)| read.contains(fd))
                    .map(|(_, lane)| *lane),
            );
        }
        // Lanes that nobody holds can be those of others.
        let links = links.filter(|links| !links.is_empty())?;
        if links.iter().any(|(_, lane)| !held.contains(lane)) {
            return None;
        }
        // Of several that could read, it is open which one is to.
        Some(awaited.into_iter().filter(|_| holders == 1).collect())
    }
}

/// The system call that a thread sleeps in.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    /// It waits for a child to end.
    AwaitsChild,
    /// It waits until it can read from one of these files.
    AwaitsInput(Vec<i32>),
    /// Another call, or one that the system does not show.
    Other,
}

impl Call {
    fn files(&self) -> &[i32] {
        match self {
            Call::AwaitsInput(files) => files,
            Call::AwaitsChild | Call::Other => &[],
        }
    }
}

/// Returns the system calls that all threads of a process sleep in; `None` if one thread does not sleep.
fn calls(process: &Process) -> Option<Vec<Call>> {
    let mut calls = Vec::new();
    for task in process.tasks().ok()? {
        let task = task.ok()?;
        if calls.len() == THREADS || task.stat().ok()?.state != 'S' {
            return None;
        }
        calls.push(match task.syscall() {
            Ok(Syscall::Running) => return None,
            // In a 32-bit program the numbers of the calls have another meaning.
            Ok(Syscall::Blocked {
                syscall_number,
                argument_registers,
                stack_pointer,
                ..
            }) if stack_pointer > u32::MAX.into() => {
                call(process, syscall_number, argument_registers).unwrap_or(Call::Other)
            }
            // That it sleeps shows also where its calls may not be looked at.
            _ => Call::Other,
        });
    }
    (!calls.is_empty()).then_some(calls)
}

/// A call by its number and arguments; `None` where the process's memory cannot be read.
fn call(process: &Process, number: i64, arguments: [u64; 6]) -> Option<Call> {
    let [first, second, ..] = arguments;
    let file = || i32::try_from(first).ok();
    let files = match number {
        libc::SYS_wait4 | libc::SYS_waitid => return Some(Call::AwaitsChild),
        libc::SYS_read | libc::SYS_readv | libc::SYS_recvfrom | libc::SYS_recvmsg => vec![file()?],
        libc::SYS_ppoll => polled(&memory(process, first, second, 8)?),
        libc::SYS_pselect6 => selected(&memory(process, second, first.div_ceil(64), 8)?),
        libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => {
            registered(&file_information(process, file()?)?)
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll => polled(&memory(process, first, second, 8)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_select => selected(&memory(process, second, first.div_ceil(64), 8)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_epoll_wait => registered(&file_information(process, file()?)?),
        _ => return Some(Call::Other),
    };
    Some(Call::AwaitsInput(files))
}

/// Reads so many values of this size from the memory of a process.
fn memory(process: &Process, address: u64, count: u64, size: usize) -> Option<Vec<u8>> {
    let count = usize::try_from(count)
        .ok()
        .filter(|count| *count <= VALUES)?;
    let mut bytes = vec![0; count * size];
    process
        .mem()
        .ok()?
        .read_exact_at(&mut bytes, address)
        .ok()?;
    Some(bytes)
}

/// Returns the system's information on an open file of a process.
fn file_information(process: &Process, fd: i32) -> Option<String> {
    let mut text = String::new();
    let file = process.open_relative(format!("fdinfo/{fd}")).ok()?;
    let count = file.take(TEXT).read_to_string(&mut text).ok()?;
    ((count as u64) < TEXT).then_some(text)
}

/// The files that `poll` waits to read, from its array of `pollfd`.
fn polled(array: &[u8]) -> Vec<i32> {
    let entries = array.chunks_exact(8).filter_map(|entry| {
        let events = i16::from_ne_bytes(entry[4..6].try_into().ok()?);
        let fd = i32::from_ne_bytes(entry[..4].try_into().ok()?);
        (events & libc::POLLIN != 0).then_some(fd)
    });
    entries.collect()
}

/// The files that `select` waits to read, from its `fd_set`.
fn selected(set: &[u8]) -> Vec<i32> {
    let files = (0_i32..).zip(
        set.iter()
            .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)),
    );
    files
        .filter(|(_, is_set)| *is_set)
        .map(|(fd, _)| fd)
        .collect()
}

/// The files that an epoll instance waits to read, from the text in `fdinfo`. Edge-triggered entries are left
/// out: they often last as long as the file, and do not show a current wish to read.
fn registered(text: &str) -> Vec<i32> {
    let files = text.lines().filter_map(|line| {
        let (fd, rest) = line.strip_prefix("tfd:")?.split_once("events:")?;
        let events = u32::from_str_radix(rest.split_whitespace().next()?, 16).ok()?;
        let (input, by_edges) = (libc::EPOLLIN.cast_unsigned(), libc::EPOLLET.cast_unsigned());
        let fd = fd.trim().parse().ok()?;
        (events & input != 0 && events & by_edges == 0).then_some(fd)
    });
    files.collect()
}

/// Returns the links in `/proc/PID/fd` that denote the far ends of these lanes, without connections that
/// nobody has accepted yet. `None` where bytes are unread, or a connection is not there.
fn links(process: &Process, lanes: &[(usize, FarEnd)]) -> Option<Vec<(PathBuf, usize)>> {
    let mut connections = Vec::new();
    if lanes
        .iter()
        .any(|(_, end)| matches!(end, FarEnd::Connection { .. }))
    {
        connections = process.tcp().ok()?;
        // A system may do without.
        connections.extend(process.tcp6().unwrap_or_default());
    }
    let link = |(lane, end): &(usize, FarEnd)| {
        let (link, unread) = match end {
            FarEnd::Pipe { link, unread } => (link.clone(), *unread),
            FarEnd::Connection { near, far } => {
                let ends = (canonical(*far), canonical(*near));
                let connection = connections.iter().find(|connection| {
                    (
                        canonical(connection.local_address),
                        canonical(connection.remote_address),
                    ) == ends
                })?;
                (
                    format!("socket:[{}]", connection.inode).into(),
                    connection.rx_queue.into(),
                )
            }
        };
        (unread == 0).then_some((link, *lane))
    };
    let links: Option<Vec<_>> = lanes.iter().map(link).collect();
    links.map(|mut links| {
        links.retain(|(link, _)| *link != Path::new("socket:[0]"));
        links
    })
}

/// The address, where one of version 4 can be written as one of version 6.
fn canonical(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

/// The open files of a process that are far ends of lanes.
fn files(process: &Process, links: &[(PathBuf, usize)]) -> Option<Vec<(i32, usize)>> {
    let folder = Path::new("/proc").join(process.pid.to_string()).join("fd");
    let mut found = Vec::new();
    for (count, file) in std::fs::read_dir(folder).ok()?.enumerate() {
        let path = file.ok().filter(|_| count < FILES)?.path();
        // Following the link could wait for a file system for ever.
        let link = std::fs::read_link(&path).ok()?;
        let fd = path.file_name()?.to_str()?.parse().ok()?;
        found.extend(
            links
                .iter()
                .filter(|(known, _)| *known == link)
                .map(|(_, lane)| (fd, *lane)),
        );
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_poll_waits_for() {
        let entry =
            |fd: i32, events: i16| [&fd.to_ne_bytes()[..], &events.to_ne_bytes(), &[0; 2]].concat();
        let array = [
            entry(5, libc::POLLIN | libc::POLLPRI),
            entry(6, libc::POLLOUT),
            entry(-1, libc::POLLIN),
        ];
        assert_eq!(polled(&array.concat()), [5, -1]);
        assert!(polled(&[1, 2, 3]).is_empty());
    }

    #[test]
    fn reads_what_select_waits_for() {
        assert_eq!(
            selected(&[0b0010_1000, 0, 1, 0, 0, 0, 0, 0b1000_0000]),
            [3, 5, 16, 63]
        );
    }

    #[test]
    fn reads_what_epoll_waits_for_and_passes_over_what_is_watched_by_edges() {
        let text = "pos:\t0\nflags:\t02000002\nmnt_id:\t16\nino:\t11\n\
            tfd:        5 events:       19 data:                5  pos:0 ino:c sdev:9\n\
            tfd:       12 events:        4 data:                7  pos:0 ino:d sdev:9\n\
            tfd:       13 events: 8000201d data:     7f0000000001  pos:0 ino:e sdev:9\n\
            tfd:        x events:       19 data:                5\n\
            tfd:        6\n";
        assert_eq!(registered(text), [5]);
    }

    #[test]
    fn an_address_is_the_same_in_both_versions() {
        let [four, six] =
            ["127.0.0.1:80", "[::ffff:127.0.0.1]:80"].map(|text| text.parse().unwrap());
        assert_eq!(canonical(four), canonical(six));
        assert_ne!(canonical(four), canonical("[::1]:80".parse().unwrap()));
    }
}
