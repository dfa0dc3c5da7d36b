use super::Peers;
use crate::config::{LateSpectator, Program, RollHook, Subject, Template, Word};
use crate::scenario::Side;

/// How the built-in peers of a game are started: words after the name of the game, with blanks between, and variables with what stands
/// in them. Places such as `{port}` are filled for each game.
#[derive(Debug)]
pub(super) struct Starting {
    pub(super) referee: &'static str,
    pub(super) bot: &'static str,
    pub(super) environment: &'static [(&'static str, &'static str)],
}

impl Peers {
    /// The built-in referee or bot, started from this program and reached like any other subject; with a fault where one is named.
    ///
    /// # Panics
    /// Where the table of peers names a place that there is not, or says not how a peer is reached.
    #[must_use]
    pub fn subject(&self, program: &str, side: Side, fault: Option<&str>) -> Subject {
        let options = if side == Side::Referee { self.starting.referee } else { self.starting.bot };
        let program = program.replace('{', "{{");
        let words = [program.as_str(), side.word(), self.game.name()].into_iter();
        let words = words.chain(options.split_whitespace()).chain(["--seed", "{seed}"]);
        let words: Vec<&str> = words.chain(fault.iter().flat_map(|fault| ["--fault", fault])).collect();
        let mut program = Program::from(Template::parse(&words).expect("the table has known places only"));
        if side == Side::Referee {
            let variable = |(name, value): &(&str, &str)| {
                (name.to_string(), Some(Word::parse(value, &[]).expect("the table has known places only")))
            };
            program.environment = self.starting.environment.iter().map(variable).collect();
        }
        let takes_rolls = program.takes("rolls");
        let name = fault.map_or_else(|| format!("the built-in {}", side.word()), str::to_owned);
        let mut subject =
            Subject::started(name, side, self.game, program).expect("the table says how a peer is reached");
        // Whoever comes late waits for the next game, and there is none.
        subject.late_spectator = LateSpectator::Nothing;
        subject.roll_hook = takes_rolls.then_some(RollHook::Arguments);
        subject
    }
}
