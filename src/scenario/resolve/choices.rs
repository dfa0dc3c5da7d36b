//! The names of choices: `any as a`, and later `any except a`.

use std::collections::HashMap;

use super::places::Places;
use super::spot::Spot;
use crate::diagnostic::{Diagnostic, Faults, suggest, visible};
use crate::scenario::{Choice, PlannedGame, PlayerAction, Turn};

/// The names of choices in a game.
pub(super) struct Choices<'s> {
    /// The names given so far, and where.
    given: HashMap<String, Spot>,
    /// The numbers of the names that some turn excludes: only those are remembered in the positions.
    excluded: HashMap<&'s str, usize>,
}

impl<'s> Choices<'s> {
    /// The names before the first turn.
    pub(super) fn of(plan: &'s PlannedGame) -> Choices<'s> {
        let mut excluded = HashMap::new();
        for (_, turn) in plan.turns() {
            if let PlayerAction::Move(Choice::Any {
                except: Some(name), ..
            }) = &turn.action
            {
                let number = excluded.len();
                excluded.entry(name.as_str()).or_insert(number);
            }
        }
        Choices {
            given: HashMap::new(),
            excluded,
        }
    }

    /// Returns the number of names that some turn excludes.
    pub(super) fn excluded(&self) -> usize {
        self.excluded.len()
    }

    /// The numbers of the names in a turn; unknown ones and those given twice are faults.
    pub(super) fn names(
        &mut self,
        turn: &Turn,
        places: &Places,
        faults: &Faults<'_>,
    ) -> (Option<usize>, Option<usize>) {
        let (PlayerAction::Move(Choice::Any { name, except }), Some(at)) =
            (&turn.action, places.action)
        else {
            return (None, None);
        };
        let source = &places.source;
        let number = |name: &String| self.excluded.get(name.as_str()).copied();
        if let Some((except, span)) = except.as_ref().zip(at.except)
            && !self.given.contains_key(except)
        {
            let title = format!(
                "no choice before this is called `{}`",
                visible::plain(except)
            );
            let fault = Diagnostic::error("turn/unknown-name", title).at(source, span, "");
            // In order, so that of two names equally near it is always the same that is suggested.
            let mut names: Vec<&str> = self.given.keys().map(String::as_str).collect();
            names.sort_unstable();
            faults.push(match suggest(except, names) {
                Some(meant) => fault.help(format!("write `{meant}`")),
                None => fault.help(format!(
                    "name one first: `any as {}`",
                    visible::plain(except)
                )),
            });
        }
        let numbers = (
            name.as_ref().and_then(number),
            except.as_ref().and_then(number),
        );
        if let Some((name, span)) = name.as_ref().zip(at.name) {
            match self.given.get(name) {
                Some(given) => {
                    let title = format!(
                        "another choice is called `{}` already",
                        visible::plain(name)
                    );
                    let fault = Diagnostic::error("turn/repeated-name", title).at(source, span, "");
                    faults.push(given.context_of(fault).help("give it another name"));
                }
                None => {
                    let spot = places.spot(span, "this one");
                    self.given.insert(name.clone(), spot);
                }
            }
        }
        numbers
    }
}
