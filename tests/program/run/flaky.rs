//! Silence: the second games of what fails by it.

use crate::harness::{Place, URTEXT, has};

/// A scenario of a bot that is told this name.
fn scenario(place: &Place, name: &str) {
    place.write(
        &format!("{name}.yaml"),
        &format!(
            "scenario: {name}\ngame: royalur\nsubject: bot\nseat: first\nnames: [{name}, Bob]\nchecks: [ur/bot/legal-token]\n\
             turns:\n  - bot: 0 0 1 1 > any\n  - opponent: 0 1 0 0 > 0\n  - bot: 0 0 0 1 > any\n"
        ),
    );
}

/// Behaves by its name and by the number of the game: files say how many games it has played under that name.
const BOT: &str = "read a; read b; echo played >> \"games-$a\"; n=$(grep -c '' \"games-$a\")
case \"$a$n\" in
  Once*1) cat > /dev/null; exit;;
  Mid*1) read seat; read roll; echo 0; cat > /dev/null; exit;;
  Wrong1) read seat; read roll; echo 99; cat > /dev/null; exit;;
esac
(echo \"$a\"; echo \"$b\"; cat) | \"$0\" bot royalur --policy first";

#[test]
fn a_game_that_fails_by_silence_is_played_again_and_is_flaky_if_that_passes() {
    let place = Place::new();
    for name in ["Once", "MidA", "MidB", "MidC", "Wrong"] {
        scenario(&place, name);
    }
    let options = "--no-diagnosis --budget start=5s --budget handshake=5s --budget answer=5s --record rec --as bot -- sh -c";
    let options: Vec<_> = options.split(' ').collect();
    let ran = place.run(&[&["."], &options[..], &[BOT, URTEXT]].concat());
    // A wrong line fails at once. Whoever is silent in the first game passes in the second.
    let games = |name: &str| place.read(&format!("games-{name}")).lines().count();
    let counts = ["Wrong", "Once", "MidA", "MidB", "MidC"].map(games);
    assert_eq!(counts, [1, 2, 2, 2, 2], "{ran:#?}");
    assert!(!place.join("rec/Wrong.again.jsonl").exists());
    let verdict = |file: &str| {
        let recording = place.read(&format!("rec/{file}.jsonl"));
        recording.lines().last().unwrap().to_owned()
    };
    has(&verdict("MidA.again"), "\"verdict\":\"pass\"");
    let ran = ran.expect(1);
    // Where urtext itself was woken seconds late, a silence decides nothing, and the second game alone counts.
    if ran.stdout.contains("only because this machine was busy") {
        return;
    }
    let ran = ran.says("5 scenarios: 0 passed, 1 failed, 4 flaky in");
    // The finding of the first game is shown.
    ran.says("flaky: the bot sent nothing")
        .says("flaky[ur/bot/within-timeout]: the bot did not answer")
        .says("the scenario was played again, and the second game ended with pass");
    has(&verdict("MidA"), "\"verdict\":\"fail\"");
}
