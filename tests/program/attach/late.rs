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

/// The judge's own tests hold everything against everything.
#[test]
fn what_a_late_spectator_receives_is_held_against_what_is_declared() {
    if !has_python() {
        return;
    }
    let whole = "everything from the first line";
    let names = "the names, and then what happened from then on";
    let rows = [
        ("whole", "whole", 0, whole),
        // Where nobody has said what is shown, only a whole stream shows that nothing was lost.
        ("whole", "unknown", 0, whole),
        ("from-now", "unknown", 4, "what happened from then on"),
        ("names", "from-now", 0, names),
        ("names", "whole", 1, names),
        ("refused", "nothing", 0, "nothing"),
    ];
    let subjects = rows.map(|(shows, declared, ..)| subject(shows, declared));
    let place = Place::with(&subjects.concat());
    for (shows, declared, code, seen) in rows {
        let subject = ["--subject", &format!("{shows} {declared}")];
        let args = ["--suite", JOINS_LATE, "--budget", "start=60s", "-v"];
        let ran = place.run(&[&subject[..], &args].concat());
        ran.expect(code)
            .says(&format!("spectator 2 joined late and received {seen}"));
    }
}
