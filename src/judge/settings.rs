//! Settings of a run for the judge, and their form in a recording.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::config::LateSpectator;
use crate::yaml::Words;

/// Budgets of waits, in addition to the timeouts of the game itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// From the subject's start to the connection of every lane; and for its first line, on top of what that may take.
    pub start: Duration,
    /// From a lane's connection to the end of the handshake.
    pub handshake: Duration,
    /// For a line that is due; the pace comes on top.
    pub answer: Duration,
    /// From the end of the game to the end of the subject's streams.
    pub close: Duration,
    /// For a referee to end the game of a player who has gone away, where its timeout is not known and no line tells the loss.
    pub forfeit: Duration,
}

impl Default for Budgets {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Budgets {
            start: seconds(10),
            handshake: seconds(10),
            answer: seconds(5),
            close: seconds(2),
            forfeit: seconds(120),
        }
    }
}

/// Settings of a run for the judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Budgets of waits.
    pub budgets: Budgets,
    /// The subject's timeout for a move, where it is known.
    pub timeout: Option<Duration>,
    /// The subject's pace.
    pub pace: Duration,
    /// Delay of urtext's wake-ups just before the game, which its time bounds allow for; lag during the game
    /// is reported by events.
    pub lag: Duration,
    /// Lines that a late spectator receives, if known.
    pub late_spectator: LateSpectator,
    /// Decides where urtext chooses a move or a roll.
    pub seed: u64,
}

/// One of the settings that is a time.
type Time = fn(&mut Settings) -> &mut Duration;

/// The times among the settings, by their names in a recording.
const TIMES: [(&str, Time); 7] = [
    ("pace", |settings| &mut settings.pace),
    ("lag", |settings| &mut settings.lag),
    ("start_budget", |settings| &mut settings.budgets.start),
    ("handshake_budget", |settings| {
        &mut settings.budgets.handshake
    }),
    ("answer_budget", |settings| &mut settings.budgets.answer),
    ("close_budget", |settings| &mut settings.budgets.close),
    ("forfeit_budget", |settings| &mut settings.budgets.forfeit),
];

impl Settings {
    /// The settings as the parameters of a recording: times are in seconds.
    #[must_use]
    pub fn to_parameters(&self) -> Map<String, Value> {
        let mut settings = self.clone();
        let times = TIMES.map(|(name, time)| (name, json!(time(&mut settings).as_secs_f64())));
        let timeout = self.timeout.as_ref().map(Duration::as_secs_f64);
        let others = [
            ("seed", json!(self.seed)),
            ("timeout", json!(timeout)),
            ("late_spectator", json!(self.late_spectator.word())),
        ];
        let all = times.into_iter().chain(others);
        all.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The settings that the parameters of a recording hold.
    ///
    /// # Errors
    /// The name of the first parameter that is missing, or is no such value.
    pub fn from_parameters(parameters: &Map<String, Value>) -> Result<Settings, &'static str> {
        let get = |name: &'static str| parameters.get(name).ok_or(name);
        let seconds = |name: &'static str| {
            let seconds = get(name)?.as_f64();
            let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            time.ok_or(name)
        };
        let late = "late_spectator";
        let mut settings = Settings {
            budgets: Budgets::default(),
            timeout: match get("timeout")? {
                Value::Null => None,
                _ => Some(seconds("timeout")?),
            },
            pace: Duration::ZERO,
            lag: Duration::ZERO,
            late_spectator: get(late)?
                .as_str()
                .and_then(LateSpectator::of)
                .ok_or(late)?,
            seed: get("seed")?.as_u64().ok_or("seed")?,
        };
        for (name, time) in TIMES {
            *time(&mut settings) = seconds(name)?;
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let odd = |nanos| Duration::from_nanos(nanos);
        Settings {
            budgets: Budgets {
                start: odd(9_999_999_999),
                handshake: odd(10_000_000_001),
                answer: odd(1_234_567_891),
                close: odd(333),
                forfeit: odd(120_000_000_009),
            },
            timeout: Some(odd(90_000_000_007)),
            pace: odd(300_000_001),
            lag: odd(1_999_999),
            late_spectator: LateSpectator::FromNow,
            seed: u64::MAX,
        }
    }

    #[test]
    fn settings_read_back_the_same_to_the_nanosecond() {
        for settings in [
            settings(),
            Settings {
                timeout: None,
                ..settings()
            },
        ] {
            let text = serde_json::to_string(&settings.to_parameters()).unwrap();
            let read = Settings::from_parameters(&serde_json::from_str(&text).unwrap());
            assert_eq!(read, Ok(settings));
        }
    }

    #[test]
    fn a_parameter_that_is_missing_or_wrong_is_named() {
        let whole = settings().to_parameters();
        let names: Vec<String> = whole.keys().cloned().collect();
        for name in names {
            let mut without = whole.clone();
            without.remove(&name);
            assert_eq!(Settings::from_parameters(&without).unwrap_err(), name);
            let mut wrong = whole.clone();
            wrong.insert(name.clone(), json!([]));
            assert_eq!(Settings::from_parameters(&wrong).unwrap_err(), name);
        }
    }
}
