use super::super::{explained, first_best, games_of};
use super::*;
use crate::diagnostic::Source;
use crate::event::Outcome;
use crate::finding::StrayLine;
use crate::pack;
use crate::protocol::history;
use crate::scenario::{self, Alone, resolve};

/// Names the fault of games of two turns, the first skipped; each says whether it failed, by which event and to whom.
fn named_by(
    games: &[Option<(usize, Option<Seat>)>],
    fault: LineFault,
) -> Option<(&'static str, usize)> {
    let scenario = scenario::free_game(pack::usual().dialects[0], 1);
    let outcome = |missed: &Option<(usize, Option<Seat>)>| {
        let mut outcome = Outcome::new(&scenario);
        if let Some((event, to)) = *missed {
            let finding = Finding::new(Verdict::Fail, "a line is missing");
            outcome = outcome.with(Finding {
                stray: Some(StrayLine {
                    event,
                    to,
                    fault,
                    requirement: "",
                }),
                ..finding
            });
        }
        outcome.history = history("first 0, second 0, first 1 > 0");
        outcome
    };
    let outcomes: Vec<_> = games.iter().map(outcome).collect();
    let plan = scenario.game().unwrap();
    let games = games_of(plan, &outcomes);
    let sent = KNOWN
        .iter()
        .filter(|known| matches!(known.kind, Kind::Sends(..)));
    let sent = sent.filter_map(|known| {
        let explained = explained(&games, |game| known.says(game))?;
        Some((&known.row, explained))
    });
    let (row, explained) = first_best(sent)?;
    (explained.len() > 1).then_some((row.name, explained.len()))
}

#[test]
fn what_every_game_was_told_wrongly_is_named_as_generally_as_it_can_be() {
    let moved = Some((3, Some(Seat::Second)));
    for (fault, missed, name) in [
        (
            LineFault::Missing,
            Some((0, None)),
            Some("no-roll-for-spectators"),
        ),
        (LineFault::Missing, moved, Some("no-move-for-the-opponent")),
        // The roll before was skipped as well, and was received.
        (LineFault::Missing, Some((1, None)), None),
        (
            LineFault::Doubled,
            moved,
            Some("move-twice-for-the-opponent"),
        ),
        // The rolls of skipped turns came as they were.
        (
            LineFault::Changed,
            Some((2, None)),
            Some("other-used-roll-for-spectators"),
        ),
    ] {
        let named = |games: &[_]| named_by(games, fault);
        assert_eq!(
            named(&[missed, missed]),
            name.map(|name| (name, 2)),
            "{missed:?}"
        );
        assert_eq!(named(&[missed]), None, "{missed:?}");
        assert_eq!(named(&[missed, missed, None]), None, "{missed:?}");
    }
}

/// The rolls of turns that are not skipped came, in games that failed by a move.
#[test]
fn a_game_that_received_such_a_line_names_nothing() {
    let (missed, moved) = (Some((0, None)), Some((3, None)));
    assert_eq!(named_by(&[missed, missed, moved], LineFault::Missing), None);
}

/// What a game says of the mistake: `failed` is the step in which it failed by silence, and the requirement.
fn said(name: &str, turns: &str, failed: Option<(usize, &'static str)>) -> Says {
    let head = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\ntimeout: 2s\nturns:\n";
    let source = Source::new("s.yaml", head.to_owned() + turns);
    let (mut scenarios, problems) = resolve(&source, "s", &Alone);
    let scenario = scenarios.pop().unwrap_or_else(|| panic!("{problems:?}"));
    let plan = scenario.game().unwrap();
    let mut outcome = Outcome::new(&scenario);
    if let Some((step, requirement)) = failed {
        let finding = Finding {
            by_silence: true,
            ..Finding::at(plan.steps[step].span, Verdict::Fail, requirement, "not so")
        };
        outcome = outcome.with(finding);
    }
    let mistake = KNOWN.iter().find(|known| known.row.name == name).unwrap();
    let (number, outcome) = (0, &outcome);
    let game = GameOfRun {
        number,
        plan,
        outcome,
    };
    mistake.says(&game)
}

const EXPLAINS: Says = Says::EXPLAINS;

#[test]
fn a_wrong_clock_shows_only_in_turns_in_which_it_is_over_at_another_time() {
    let own = "  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1\n    send: [{pause: 700ms}, \"0\\n\"]\n  - first: 0 0 0 1 > silent\n";
    let early = Some((2, "ur/timeout/not-early"));
    let refuted = Says::Refutes;
    for (name, passed, failed) in [
        ("clock-from-own-turn", refuted, EXPLAINS),
        ("clock-from-own-turn-for-first", refuted, EXPLAINS),
        (
            "clock-from-own-turn-for-second",
            Says::NOTHING,
            Says::NOTHING,
        ),
        ("timeout-short", refuted, EXPLAINS),
        ("clock-is-sum", Says::NOTHING, Says::NOTHING),
        ("timeout-long", refuted, Says::NOTHING),
    ] {
        assert_eq!(said(name, own, None), passed, "{name}");
        assert_eq!(said(name, own, early), failed, "{name}");
    }
    let half = "  - first: 0 0 1 1\n    send: [{pause: 1500ms}, \"3\"]\n";
    let late = Some((0, "ur/timeout/no-new-time"));
    assert_eq!(said("part-of-line-gives-time", half, late), EXPLAINS);
    assert_eq!(said("line-gives-time", half, late), Says::NOTHING);
}

#[test]
fn a_wrong_reader_shows_only_where_lines_come_in_pieces_or_together() {
    let pieces = "  - first: 0 0 1 1\n    send: [\"3\", {pause: 200ms}, \"\\n\"]\n";
    let failed = Some((0, "ur/roll/line"));
    let name = "reads-are-whole-lines";
    assert_eq!(said(name, pieces, None), Says::Refutes);
    assert_eq!(said(name, pieces, failed), EXPLAINS);
    assert_eq!(said("reads-are-one-line", pieces, failed), Says::NOTHING);
    let whole = "  - first: 0 0 1 1 > 3\n";
    assert_eq!(said(name, whole, failed), Says::NOTHING);
}
