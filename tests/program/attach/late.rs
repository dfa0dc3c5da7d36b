//! What a spectator is shown who comes late: declared with the subject, and judged by that.

use crate::harness::{Place, has_python};

const JOINS_LATE: &str = "royalur/referee/spectator-joins-late";

/// The independent referee that shows this, and of which that is declared.
fn subject(shows: &str, declared: &str) -> String {
    format!(
        "  {shows} {declared}:
    as: referee
    game: royalur
    command: [PYTHON, PEERS/ur_gallery_referee.py, --port, '{{port}}', --spectator-port, '{{spectator_port}}',
      --spectators, '{{spectators}}', --timeout, '{{timeout}}', --pace, '{{pace}}', --late, {shows}]
    rolls: {{environment: UR_ROLLS}}
    late-spectator: {declared}
"
    )
}

#[test]
fn what_a_late_spectator_receives_is_held_against_what_is_declared() {
    if !has_python() {
        return;
    }
    let rows = [
        ("whole", "whole", "received everything from the first line"),
        (
            "names",
            "from-now",
            "received the names, and then what happened from then on",
        ),
        (
            "from-now",
            "from-now",
            "received what happened from then on",
        ),
        ("nothing", "nothing", "received nothing"),
        ("refused", "nothing", "received nothing"),
    ];
    let declarations = ["whole", "from-now", "nothing", "unknown"];
    // The judge's own tests hold everything against everything.
    let is_telling = |row: &(&str, &str, &str), declared| {
        declared == row.1
            || declared == "unknown"
            || row.0 == "names" && declared == "whole"
            || row.0 == "refused"
    };
    let pairs = || {
        let all = rows
            .iter()
            .flat_map(|row| declarations.iter().map(move |declared| (row, *declared)));
        all.filter(move |(row, declared)| is_telling(row, *declared))
    };
    let place = Place::with(
        &pairs()
            .map(|(row, declared)| subject(row.0, declared))
            .collect::<String>(),
    );
    for ((shows, means, words), declared) in pairs() {
        let ran = place.urtext(&[
            "run",
            "--subject",
            &format!("{shows} {declared}"),
            "--suite",
            JOINS_LATE,
            "--budget",
            "start=60s",
            "-v",
        ]);
        // Where nobody has said what is shown, only a whole stream shows that nothing was lost.
        let due = match declared {
            _ if declared == *means => 0,
            "unknown" if *means == "whole" => 0,
            "unknown" => 4,
            _ => 1,
        };
        assert_eq!(ran.code, Some(due), "{ran:#?}");
        assert!(
            ran.stdout
                .contains(&format!("spectator 2 joined late and {words}")),
            "{ran:#?}"
        );
    }
}
