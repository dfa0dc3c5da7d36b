//! The built-in bot as others meet it: over its standard streams.

use std::process::Command;

#[test]
fn two_bots_play_a_game_to_its_end() {
    let bot = format!("{} bot royalur --seed 3", env!("CARGO_BIN_EXE_urtext"));
    let output = Command::new(env!("CARGO_BIN_EXE_urtext"))
        .args(["referee", "royalur", "--pace", "0", "--seed", "7", "--bot", &bot, "--bot", &bot])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("all tokens are out"), "{stderr}");
}
