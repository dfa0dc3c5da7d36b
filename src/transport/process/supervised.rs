//! A subject under a supervisor, from urtext's side.

use std::io;
use std::sync::PoisonError;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::timeout;

use super::Ended;
use super::observed::Reaped;
use crate::transport::supervisor::{Order, Report, Socket, Start, Supervisors};

/// Longest time for the supervisor to end leftover processes. On an overloaded machine it has taken more than 5 s.
pub(super) const CLEARING: Duration = Duration::from_secs(20);
/// Longest time for the supervisor to start a process. It is far more than that takes; a subject can stop its supervisor at once.
const STARTING: Duration = Duration::from_secs(30);

/// A subject that a supervisor watches over.
#[derive(Debug)]
pub(super) struct Supervised {
    socket: Socket,
    pool: Supervisors,
    /// True if the supervisor can watch over another game.
    is_reusable: bool,
    /// The process id of the supervisor.
    pub(super) pid: i32,
    /// The run delays of the subject's processes that it has reaped.
    pub(super) reaped: Reaped,
}

/// The answer of a supervisor to the order to start a subject.
pub(super) enum Answer {
    /// The subject runs, as this process.
    Started(i32, Supervised),
    /// The subject cannot be started.
    Failed(io::Error),
    /// The supervisor is gone.
    Lost,
}

impl Supervised {
    /// Has a subject started, with these standard streams.
    pub(super) async fn start(
        pool: &Supervisors,
        start: Start,
        streams: &[std::os::fd::BorrowedFd<'_>],
    ) -> io::Result<Answer> {
        let mut socket = pool.take()?;
        let is_reusable = !start.limits.last();
        let sent = socket.send(&[Order::Start(Box::new(start))], streams).await;
        let Some((pid, report)) = (match sent {
            Ok(()) => answer(&mut socket, STARTING).await,
            Err(_) => None,
        }) else {
            return Ok(Answer::Lost);
        };
        Ok(match report {
            Some(Report::Started(subject)) => Answer::Started(
                subject,
                Supervised {
                    socket,
                    pool: pool.clone(),
                    is_reusable,
                    pid,
                    reaped: Reaped::default(),
                },
            ),
            Some(Report::Failed(errno)) => {
                // Limits that it has set itself may be why.
                if is_reusable {
                    pool.give_back(socket);
                }
                Answer::Failed(io::Error::from_raw_os_error(errno))
            }
            Some(_) => Answer::Failed(io::Error::other("its supervisor is confused")),
            None => {
                pool.wake();
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
                return Err(io::Error::other("it does not answer"));
            }
        })
    }

    /// Waits for the end of the subject itself. Safe to drop and call again, until it has ended.
    pub(super) async fn ended(&mut self) -> Ended {
        loop {
            return match self.socket.next().await {
                Some(Report::Waited { process, micros }) => {
                    let delay = Duration::from_micros(micros);
                    let reaped = self.reaped.lock();
                    reaped
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((process, delay));
                    continue;
                }
                Some(Report::Exited(code)) => Ended::exited(code),
                Some(Report::Signalled(number)) => Ended::signalled(number),
                Some(_) => Ended::unknown("its supervisor is confused"),
                None => Ended::lost(),
            };
        }
    }

    /// Asks the subject's process group to end.
    pub(super) async fn ask_to_end(&self) {
        // A supervisor that is gone has nobody left to ask.
        drop(self.socket.send(&[Order::Ask], &[]).await);
    }

    /// Kills what is left of the subject, and waits for it. The supervisor is free then for another game, or ends. A supervisor that does not
    /// answer was stopped: it is killed too. Returns whether it was there to the end.
    pub(super) async fn clear(mut self) -> bool {
        if let Ok(is_clear) = timeout(CLEARING, self.kill_rest()).await {
            match is_clear && self.is_reusable {
                true => self.pool.give_back(self.socket),
                false => drop(timeout(CLEARING, self.socket.finish()).await),
            }
            return is_clear;
        }
        // Its end comes from the supervisor of the run, when nothing is left. That one can be stopped as well.
        self.pool.wake();
        let _ = kill(Pid::from_raw(self.pid), Signal::SIGKILL);
        let end = async { while self.socket.next::<Report>().await.is_some() {} };
        drop(timeout(CLEARING, end).await);
        false
    }

    /// Returns false where the supervisor is gone. Safe to drop.
    async fn kill_rest(&mut self) -> bool {
        let mut is_told = false;
        loop {
            let report = match self.socket.next_heard() {
                Some(report) => Some(report),
                None => {
                    if !is_told {
                        // Where the supervisor is gone, its end comes when nothing is left.
                        drop(self.socket.send(&[Order::Kill], &[]).await);
                        is_told = true;
                    }
                    self.socket.next().await
                }
            };
            match report {
                Some(Report::Clear) => return true,
                Some(_) => {}
                None => return false,
            }
        }
    }
}

/// The process id of a supervisor that was told to start something, and its report of that; none where it does not answer in time. `None`:
/// it is gone.
async fn answer(socket: &mut Socket, limit: Duration) -> Option<(i32, Option<Report>)> {
    let Report::Starting(pid) = socket.next().await? else {
        return None;
    };
    match timeout(limit, socket.next()).await {
        Ok(report) => Some((pid, Some(report?))),
        Err(_) => Some((pid, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_supervisor_that_is_stopped_before_it_reports_the_start_is_not_waited_for() {
        let (mut near, far) = Socket::pair();
        far.send(&[Report::Starting(7)], &[]).await.unwrap();
        assert_eq!(answer(&mut near, Duration::ZERO).await, Some((7, None)));
        far.send(&[Report::Starting(7), Report::Started(8)], &[])
            .await
            .unwrap();
        let started = Some((7, Some(Report::Started(8))));
        assert_eq!(answer(&mut near, STARTING).await, started);
        drop(far);
        assert_eq!(answer(&mut near, STARTING).await, None);
    }
}
