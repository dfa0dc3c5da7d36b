//! Descendants of this process, and their end.

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use super::message::Report;
#[cfg(target_os = "linux")]
use crate::transport::process::run_delay;

/// A shorter time is not reported.
#[cfg(target_os = "linux")]
const NOTABLE: std::time::Duration = std::time::Duration::from_millis(5);

/// Kills what is below this process as far as it can be seen now. Called again after each child that was reaped, until there is none, it
/// misses nothing: what was forked meanwhile has become a child of this process by then.
#[cfg(target_os = "linux")]
pub(super) fn kill_all(_subject: Pid) {
    for pid in linux::descendants(std::process::id().cast_signed()) {
        // It may have ended already, and that is what is wanted.
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    }
}

/// Kills the children of this process, and what is below them, as far as they can be seen now; those children are left alone of which
/// `is_known` says so. Returns whether there was any, one included that has ended and is not waited for yet.
#[cfg(target_os = "linux")]
pub(super) fn kill_orphans(is_known: impl Fn(Pid) -> bool) -> bool {
    let is_known = |&pid: &i32| is_known(Pid::from_raw(pid));
    let orphans = linux::below(std::process::id().cast_signed(), |pid| !is_known(pid));
    for &pid in &orphans {
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    }
    !orphans.is_empty()
}

/// Returns `false`: here no orphan comes to this process.
#[cfg(not(target_os = "linux"))]
pub(super) fn kill_orphans(_is_known: impl Fn(Pid) -> bool) -> bool {
    false
}

/// Kills the subject's process group: what has left it is not found here.
#[cfg(not(target_os = "linux"))]
pub(super) fn kill_all(subject: Pid) {
    let _ = killpg(subject, Signal::SIGKILL);
    let _ = kill(subject, Signal::SIGKILL);
}

/// Returns how long the child that is reaped next was runnable and did not run, where that is notable.
#[cfg(target_os = "linux")]
pub(super) fn waited() -> Option<Report> {
    use nix::sys::wait::{Id, WaitPidFlag, waitid};
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let process = waitid(Id::All, flags).ok()?.pid()?.as_raw();
    let delay = run_delay(process)?;
    let micros = u64::try_from(delay.as_micros()).ok()?;
    (delay >= NOTABLE).then_some(Report::Waited { process, micros })
}

/// Returns `None`: this platform does not show it.
#[cfg(not(target_os = "linux"))]
pub(super) fn waited() -> Option<Report> {
    None
}

/// Asks the subject's process group to end.
pub(super) fn ask_to_end(subject: Pid) {
    let _ = killpg(subject, Signal::SIGTERM);
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::fs;

    /// All processes below one, parents before their children.
    pub(super) fn descendants(root: i32) -> Vec<i32> {
        below(root, |_| true)
    }

    /// The children of a process for which `is_meant` holds and all that is below them, parents before their children.
    pub(super) fn below(root: i32, is_meant: impl FnMut(&i32) -> bool) -> Vec<i32> {
        let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        for pid in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
            let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
            if let Some(parent) = parent(&stat) {
                children.entry(parent).or_default().push(pid);
            }
        }
        let mut found = children.remove(&root).unwrap_or_default();
        found.retain(is_meant);
        let mut next = 0;
        while let Some(&pid) = found.get(next) {
            next += 1;
            found.extend(children.remove(&pid).unwrap_or_default());
        }
        found
    }

    /// The parent's number in a line of `/proc/PID/stat`; the program's name before it can hold anything, parentheses included.
    fn parent(stat: &[u8]) -> Option<i32> {
        let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
        let mut fields = std::str::from_utf8(&stat[after..]).ok()?.split_whitespace();
        fields.nth(1)?.parse().ok()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn reads_the_parent_behind_any_name() {
            assert_eq!(parent(b"12 (a) b) 3 (x) S 7 12 0"), Some(7));
            assert_eq!(parent(b"12 (sh) R 1 1 1"), Some(1));
            assert_eq!(parent(b""), None);
        }

        #[test]
        fn finds_children_and_their_children() {
            use std::io::{BufRead, BufReader, Write};
            let mut child = std::process::Command::new("sh")
                .args(["-c", "exec 3<&0; sh -c 'echo $$; read x <&3' & wait"])
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap())
                .read_line(&mut line)
                .unwrap();
            let grandchild: i32 = line.trim().parse().unwrap();
            let found = descendants(std::process::id().cast_signed());
            let place = |pid: i32| found.iter().position(|&found| found == pid);
            assert!(
                place(child.id().cast_signed()).unwrap() < place(grandchild).unwrap(),
                "{found:?}"
            );
            let _ = child.stdin.take().unwrap().write_all(b"\n");
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
