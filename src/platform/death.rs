//! Processes that do not outlive this one, however it ends.

use std::process::Command;

/// Has the process of a command killed when the thread that starts it has ended, on Linux: also if this process is killed.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub fn end_with_thread(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::getppid;
    let parent = nix::unistd::getpid();
    let ask = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        // It can have ended before this was asked.
        if getppid() == parent {
            Ok(())
        } else {
            Err(std::io::ErrorKind::NotFound.into())
        }
    };
    // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
    unsafe { command.pre_exec(ask) };
}

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
pub fn end_with_thread(_command: &mut Command) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn a_process_ends_with_the_thread_that_started_it() {
        let started = std::thread::spawn(|| {
            let mut command = Command::new("sleep");
            end_with_thread(command.arg("1000"));
            command.spawn().unwrap()
        });
        let status = started.join().unwrap().wait().unwrap();
        assert_eq!(status.signal(), Some(9));
    }
}
