use clap::Parser;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: InitArgs,
}

fn args(words: &[&str]) -> InitArgs {
    Line::parse_from(["init"].iter().chain(words)).args
}

fn asked(words: &[&str], typed: &str) -> (Result<Answers, Diagnostic>, String) {
    let mut output = Vec::new();
    let answers = ask(&args(words), &mut typed.as_bytes(), &mut output);
    (answers, String::from_utf8(output).unwrap())
}

fn words(answers: &Answers) -> &[String] {
    let Place::Command(words) = &answers.place else {
        panic!("{answers:?}")
    };
    words
}

#[test]
fn asks_what_the_flags_do_not_say() {
    let typed = "\n\n\n./ref --port '{port}'\n\nsame-port\nenvironment\nROLLS\n2s\n\nmy referee\n";
    let (answers, output) = asked(&[], typed);
    let answers = answers.unwrap();
    assert_eq!(
        (answers.name.as_str(), answers.side),
        ("my referee", Side::Referee)
    );
    assert_eq!(answers.protocol.game_name(), pack::usual().game.name());
    assert_eq!(words(&answers), ["./ref", "--port", "{port}"]);
    assert_eq!((answers.reach, answers.ready), (None, None));
    assert_eq!(answers.spectators.as_deref(), Some("same-port"));
    assert_eq!(answers.rolls_env.as_deref(), Some("ROLLS"));
    assert_eq!(
        (answers.timeout, answers.pace),
        (Some(std::time::Duration::from_secs(2)), None)
    );
    assert_eq!(output.matches('?').count(), 11, "{output}");
    let told = [
        "--as", "bot", "--game", "royalur", "--name", "b", "--reach", "stdio", "--", "x",
    ];
    let (answers, output) = asked(&told, "");
    assert_eq!((answers.unwrap().name.as_str(), output.as_str()), ("b", ""));
}

#[test]
fn asks_no_more_than_the_command_leaves_open() {
    let command = "r {port} {spectator_port} {timeout} {pace} {rolls}\n";
    let (answers, output) = asked(
        &["--as", "referee", "--game", "ur"],
        &format!("\n{command}\n\n"),
    );
    assert_eq!(answers.unwrap().name, USUAL_NAME);
    assert_eq!(output.matches('?').count(), 4, "{output}");
    let (answers, output) = asked(
        &["--as", "referee", "--game", "ur"],
        "\nr\n\nup on {prt}\nup on {port}\n\n\n\n\n\n",
    );
    assert_eq!(answers.unwrap().ready.as_deref(), Some("up on {port}"));
    assert!(output.contains("did you mean {port}?"), "{output}");
}

#[test]
fn a_bot_whose_port_can_mean_two_things_is_asked_which() {
    let (answers, output) = asked(
        &["--as", "bot", "--game", "ur"],
        "b {port}\nstdoi\nlistens\n\n",
    );
    assert_eq!(answers.unwrap().reach.as_deref(), Some("listens"));
    assert!(
        output.contains("say one of listens, connects, stdio, named-pipes"),
        "{output}"
    );
    let (answers, _) = asked(&["--as", "bot", "--game", "ur"], "b\nconnects\nstdio\n\n");
    assert_eq!(answers.unwrap().reach, None);
}

#[test]
fn asks_again_and_gives_up_in_the_end() {
    let (answers, output) = asked(
        &[],
        "judge\nb\n\n'open\npython3 {bot}\npython3 bot.py\n\n\n",
    );
    assert_eq!(answers.unwrap().side, Side::Bot);
    for help in [
        "say `referee` or `bot`",
        "close the quotation",
        "write {{ for a brace",
    ] {
        assert!(output.contains(help), "{output}");
    }
    let fault = asked(&[], "x\nx\nx\n").0.unwrap_err();
    assert!(
        fault
            .title()
            .starts_with("no answer to: Is a referee or a bot"),
        "{fault}"
    );
    assert!(asked(&[], "").0.is_err());
}

#[test]
fn a_wrong_answer_is_told_at_once_and_no_earlier_one_is_lost() {
    let typed = [
        "referee",
        "royalr",
        "royalur",
        "127.0.0.1",
        "localhost",
        "",
        "./ref {prt}",
        "./ref {port}",
        "by hand",
        "",
        "everywhere",
        "10.0.0.1:0",
        "same-port",
        "enviroment",
        "environment",
        "",
        "A=B",
        "ROLLS",
        "soon",
        "2s",
        "1h",
        "300ms",
        "mine",
    ];
    let (answers, output) = asked(&[], &(typed.join("\n") + "\n"));
    let answers = answers.unwrap();
    assert_eq!(words(&answers), ["./ref", "{port}"]);
    assert_eq!(
        (answers.spectators.as_deref(), answers.rolls_env.as_deref()),
        (Some("same-port"), Some("ROLLS"))
    );
    assert_eq!(
        (answers.timeout, answers.pace),
        (
            Some(Duration::from_secs(2)),
            Some(Duration::from_millis(300))
        )
    );
    for told in [
        "there is no game `royalr`; did you mean `royalur`?",
        "`127.0.0.1` is no address: an address is HOST:PORT",
        "`localhost` is no address",
        "did you mean {port}?",
        "say one of listens, named-pipes",
        "`none`, `same-port`, `own-port` or an address HOST:PORT is due here",
        "an address is due here, HOST:PORT",
        "did you mean `environment`?",
        "write the name of the variable, such as MY_ROLLS",
        "`A=B` cannot be the name of an environment variable",
        "expected number at 0; such as 1500ms",
        "the longest pace is",
    ] {
        assert_eq!(output.matches(told).count(), 1, "{told}: {output}");
    }
}

#[test]
fn rolls_are_taken_from_a_variable_an_argument_or_a_file() {
    let of = |typed: &str| {
        asked(
            &[
                "--as", "referee", "--game", "ur", "--name", "r", "--", "r", "{port}",
            ],
            typed,
        )
    };
    let (answers, output) = of("\nnone\nargument\n--dice\n--dice={rolls}\n\n\n");
    assert_eq!(words(&answers.unwrap()), ["r", "{port}", "--dice={rolls}"]);
    assert!(
        output.contains("{rolls} is missing; write such as `--rolls {rolls}`"),
        "{output}"
    );
    let (answers, _) = of("\nnone\nfile\n\n\n\n");
    assert_eq!(
        words(&answers.unwrap()),
        ["r", "{port}", "--rolls-file", "{rolls_file}"]
    );
    let (answers, _) = of("\nnone\nenvironment\nDICE\n\n\n");
    assert_eq!(answers.unwrap().rolls_env.as_deref(), Some("DICE"));
    let answers = of("\nnone\n\n\n\n").0.unwrap();
    assert_eq!(
        (answers.rolls_env.as_deref(), words(&answers).len()),
        (None, 2)
    );
}

#[test]
fn an_input_that_ends_gives_the_answers_so_far_as_flags() {
    let (fault, _) = asked(&[], "referee\n\n\nr {port} 'a b'\n\nsame-port\n");
    let drawn = fault.unwrap_err().draw(crate::diagnostic::Paint::Plain);
    let flags =
        "urtext init --as referee --game royalur --spectators-at same-port -- r {port} 'a b'";
    assert!(drawn.contains(flags), "{drawn}");
    // What cannot be meant is told before the first question.
    let (fault, output) = asked(&["--as", "bot", "--pace", "1s"], "x\n");
    assert_eq!((fault.is_err(), output.as_str()), (true, ""));
    let (fault, output) = asked(&["--game", "chess960"], "referee\n");
    assert_eq!((fault.is_err(), output.as_str()), (true, ""));
}

#[test]
fn without_a_terminal_the_flags_have_to_say_it() {
    let fault = |words: &[&str]| said(&args(words)).unwrap_err().title().to_owned();
    assert!(fault(&[]).contains("--as"));
    assert!(fault(&["--as", "bot"]).contains("its command"));
    assert!(fault(&["--as", "bot", "--connect", "h:1"]).contains("started by urtext"));
    assert!(fault(&["--as", "bot", "--game", "royalr", "--", "x"]).contains("royalr"));
    assert!(fault(&["--as", "bot", "--pace", "1s", "--", "x"]).contains("a referee's"));
    assert!(
        fault(&["--as", "bot", "--", "x", "{port}"]).contains("can listen there or connect there")
    );
    assert!(said(&args(&["--as", "referee", "--connect", "h:1"])).is_ok());
}
