//! A game of which everything is told, and that waits before a turn until the user lets it go on.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::Notify;

use super::telling::{GameNews, Teller, Telling};
use crate::event::What;
use crate::judge::{Command, Judge};

/// Ends when the user lets the game go on.
type Pause = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A game of which everything is told.
pub(super) struct Debugged<'g> {
    teller: &'g Teller,
    /// The turn before which it still has to wait.
    pause_at: Option<usize>,
    paused: Option<Pause>,
    /// Commands that wait for that.
    held: Vec<Command>,
}

impl<'g> Debugged<'g> {
    /// Returns `None` if less is to be told.
    pub(super) fn new(teller: Option<&'g Teller>, tells: Telling) -> Option<Debugged<'g>> {
        match (teller, tells) {
            (Some(teller), Telling::Everything { pause_at }) => Some(Debugged {
                teller,
                pause_at,
                paused: None,
                held: Vec::new(),
            }),
            _ => None,
        }
    }

    /// Tells an event that the judge has taken.
    pub(super) fn tell(&self, what: &What, judge: &Judge) {
        let news = match what {
            What::Line {
                lane,
                direction,
                line,
            } => GameNews::Line {
                lane: judge.lane_name(*lane),
                direction: *direction,
                text: line.text.clone(),
            },
            What::Closed {
                lane, direction, ..
            } => GameNews::Closed {
                lane: judge.lane_name(*lane),
                direction: *direction,
            },
            What::Exited { status, .. } => GameNews::Exited(status.clone()),
            _ => return,
        };
        self.teller.tell(news);
    }

    /// Returns those commands that are carried out at once. Nothing is sent or closed from the turn on before which it waits.
    pub(super) fn take(&mut self, commands: Vec<Command>, judge: &Judge) -> Vec<Command> {
        let is_held = |command: &Command| !matches!(command, Command::WakeAt(_) | Command::Finish);
        if self.paused.is_none() {
            let turn = judge.turn();
            let is_due = turn.is_some() && self.pause_at <= turn;
            if self.pause_at.is_none() || !is_due || !commands.iter().any(is_held) {
                return commands;
            }
            self.pause(turn.unwrap_or_default());
        }
        let (held, others) = commands.into_iter().partition(is_held);
        self.held.extend::<Vec<_>>(held);
        others
    }

    fn pause(&mut self, turn: usize) {
        self.pause_at = None;
        let go_on = Arc::new(Notify::new());
        let told = Arc::clone(&go_on);
        self.paused = Some(Box::pin(async move { told.notified().await }));
        self.teller.tell(GameNews::Paused { turn, go_on });
    }

    /// Returns the commands that have waited, once the user lets the game go on.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Vec<Command>> {
        let is_over = |paused: &mut Pause| paused.as_mut().poll(context).is_ready();
        if !self.paused.as_mut().is_some_and(is_over) {
            return Poll::Pending;
        }
        self.paused = None;
        Poll::Ready(std::mem::take(&mut self.held))
    }
}
