//! The times that the subject is started with: its timeout and its pace, said or left to it.

use std::time::Duration;

use crate::diagnostic::Faults;
use crate::rules::Game;
use crate::yaml::{Key, Node, Value};

/// The longest timeout that a scenario may ask for.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// Value that leaves a setting to the subject.
pub(in crate::scenario) const DEFAULT: &str = "default";

/// A time that the subject is started with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Setting {
    /// This one.
    Said(Duration),
    /// None: its own default is this one.
    Default(Duration),
}

impl Setting {
    pub(super) fn time(self) -> Duration {
        match self {
            Setting::Said(time) | Setting::Default(time) => time,
        }
    }
}

/// The timeout that the subject is started with: longer than nothing.
pub(super) fn timeout(node: &Node, game: &dyn Game, faults: &Faults<'_>) -> Option<Setting> {
    if is_default(node) {
        return by_default(node, game.default_timeout(), "timeout", game, faults);
    }
    let timeout = node.as_duration(faults)?;
    if timeout.is_zero() || timeout > LONGEST_TIMEOUT {
        let title = format!(
            "a timeout is longer than nothing and at most {}",
            humantime::format_duration(LONGEST_TIMEOUT)
        );
        faults.refuse(
            "scenario/timeout",
            title,
            node.span,
            "",
            "write another, such as `2s`",
        );
        return None;
    }
    Some(Setting::Said(timeout))
}

/// The pace that the subject is started with, within the bounds of the game.
pub(super) fn pace(entry: &(Key, Node), game: &dyn Game, faults: &Faults<'_>) -> Option<Setting> {
    let (key, node) = entry;
    let Some(longest) = game.longest_pace() else {
        let title = format!("the {} has no pace", game.title());
        faults.refuse(
            "scenario/pace",
            title,
            key.span.to(node.span),
            "",
            "remove this line",
        );
        return None;
    };
    if is_default(node) {
        return by_default(node, game.default_pace(), "pace", game, faults);
    }
    let pace = node.as_duration(faults)?;
    if pace > longest {
        let title = format!(
            "the pace of the {} is at most {}",
            game.title(),
            humantime::format_duration(longest)
        );
        let help = format!(
            "write one from `0s` to `{}`",
            humantime::format_duration(longest)
        );
        faults.refuse("scenario/pace", title, node.span, "", help);
        return None;
    }
    Some(Setting::Said(pace))
}

fn is_default(node: &Node) -> bool {
    matches!(&node.value, Value::Scalar(scalar) if scalar.text == DEFAULT)
}

fn by_default(
    node: &Node,
    time: Option<Duration>,
    what: &str,
    game: &dyn Game,
    faults: &Faults<'_>,
) -> Option<Setting> {
    if time.is_none() {
        let title = format!("the {} has no {what} by default", game.title());
        faults.refuse(
            "scenario/default",
            title,
            node.span,
            "",
            "write one, such as `2s`",
        );
    }
    time.map(Setting::Default)
}
