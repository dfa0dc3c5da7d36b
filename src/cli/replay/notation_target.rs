//! The notations in which `urtext replay --to` writes a game.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::pack::{self, Notation, NotationWriter};

/// Form to write a game in.
#[derive(Debug, Clone, Copy)]
pub(super) enum NotationTarget {
    Records(&'static dyn NotationWriter),
    State,
    Golden,
    Spectator,
}

impl NotationTarget {
    /// The notations of the packs, then the others.
    pub(super) fn possible() -> impl TypedValueParser<Value = NotationTarget> {
        let of_notation = |notation: &'static dyn NotationWriter| {
            let help = format!(
                "{}{}",
                notation.title()[..1].to_uppercase(),
                &notation.title()[1..]
            );
            PossibleValue::new(notation.name()).help(help)
        };
        let others = [
            (
                "state",
                "The state of the game, as its notation of records writes it",
            ),
            (
                "golden",
                "A golden transcript with the lanes of both players and a spectator",
            ),
            ("spectator", "The stream of a spectator"),
        ];
        let others = others.map(|(name, help)| PossibleValue::new(name).help(help));
        let written = pack::notations().filter_map(Notation::writer);
        let values = written.map(of_notation).chain(others);
        PossibleValuesParser::new(values).map(|name| match name.as_str() {
            "state" => NotationTarget::State,
            "golden" => NotationTarget::Golden,
            "spectator" => NotationTarget::Spectator,
            name => {
                let mut notations = pack::notations().filter_map(Notation::writer);
                let notation = notations.find(|notation| notation.name() == name);
                NotationTarget::Records(notation.expect("the parser knows the name"))
            }
        })
    }
}
