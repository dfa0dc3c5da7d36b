//! The times that the subject is started with: its timeout and its pace, said or left to it.

use std::time::Duration;

use super::keys::GameKeys;
use super::kinds::Time;
use crate::diagnostic::{Faults, Span};
use crate::rules::Game;
use crate::yaml::Written;

/// The longest timeout that a scenario may ask for.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// The timeout that the subject is started with: longer than nothing.
pub(super) fn timeout(
    keys: &Written<GameKeys>,
    game: &dyn Game,
    faults: &Faults<'_>,
) -> Option<Duration> {
    let (timeout, span) = keys.is.timeout.zip(keys.span("timeout"))?;
    let Time::Said(timeout) = timeout else {
        return by_default(span, game.default_timeout(), "timeout", game, faults);
    };
    if timeout.is_zero() || timeout > LONGEST_TIMEOUT {
        let title = format!(
            "a timeout is longer than nothing and at most {}",
            humantime::format_duration(LONGEST_TIMEOUT)
        );
        let help = "write another, such as `2s`";
        faults.refuse("scenario/timeout", title, span, "", help);
        return None;
    }
    Some(timeout)
}

/// The pace that the subject is started with, within the bounds of the game.
pub(super) fn pace(
    keys: &Written<GameKeys>,
    game: &dyn Game,
    faults: &Faults<'_>,
) -> Option<Duration> {
    let line = keys.line("pace")?;
    let Some(longest) = game.longest_pace() else {
        let title = format!("the {} has no pace", game.title());
        faults.refuse("scenario/pace", title, line, "", "remove this line");
        return None;
    };
    let (pace, span) = keys.is.pace.zip(keys.span("pace"))?;
    let Time::Said(pace) = pace else {
        return by_default(span, game.default_pace(), "pace", game, faults);
    };
    if pace > longest {
        let longest = humantime::format_duration(longest);
        let title = format!("the pace of the {} is at most {longest}", game.title());
        let help = format!("write one from `0s` to `{longest}`");
        faults.refuse("scenario/pace", title, span, "", help);
        return None;
    }
    Some(pace)
}

fn by_default(
    span: Span,
    time: Option<Duration>,
    what: &str,
    game: &dyn Game,
    faults: &Faults<'_>,
) -> Option<Duration> {
    if time.is_none() {
        let title = format!("the {} has no {what} by default", game.title());
        let help = "write one, such as `2s`";
        faults.refuse("scenario/default", title, span, "", help);
    }
    time
}
