//! What a subject says reaches a report as text, whatever it says.

use junit_parser::TestStatus;
use serde_json::Value;

use crate::harness::{Place, Ran, has, python};

/// A bot that says what would steer a terminal, end an XML section, open a tag, a fence or a table, or be a command.
const BOT: &str = r#"printf '\033[31m]]>\000\377</failure><script>alert(1)</script>````|@all %%0A\357\277\276\n'
printf '::error::from the subject\n\033]0;title\007<!--\n' >&2; cat > /dev/null"#;

#[test]
fn no_format_is_broken_out_of() {
    let place = Place::new();
    let formats = ["json", "junit", "github", "gitlab", "markdown"];
    let reports: Vec<_> = formats
        .iter()
        .map(|name| format!("{name}=out.{name}"))
        .collect();
    let options = reports.iter().flat_map(|report| ["--report", report]);
    let scenario = ["run", "--suite", "royalur/bot/first-seat", "--no-diagnosis"];
    let subject = ["--as", "bot", "--", "sh", "-c", BOT];
    let arguments: Vec<_> = scenario.into_iter().chain(options).chain(subject).collect();
    Ran::of(&mut place.command(&arguments)).expect(1);
    for name in formats {
        let text = place.read(&format!("out.{name}"));
        has(&text, "alert(1)");
        let steers = |c: char| c != '\n' && (c.is_control() || c == '\u{fffe}');
        assert!(!text.contains(steers), "{name}: {text:?}");
    }
    let report = junit_parser::from_reader(place.read("out.junit").as_bytes()).unwrap();
    let case = &report.suites[0].cases[0];
    assert!(
        matches!(case.status, TestStatus::Failure(_)),
        "{:?}",
        case.status
    );
    assert!(
        case.system_err
            .as_ref()
            .unwrap()
            .contains(r"\x3a:error::from the subject")
    );
    if let Some(python) = python() {
        let script = "import sys, xml.etree.ElementTree as t; print(t.parse(sys.argv[1]).find('.//failure').text)";
        let mut command = std::process::Command::new(python);
        Ran::of(command.args(["-c", script]).arg(place.join("out.junit")))
            .expect(0)
            .says(r"\x1b[31m]]>\x00\xff</failure><script>alert(1)</script>");
    }
    for line in place.read("out.json").lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    serde_json::from_str::<Value>(&place.read("out.gitlab")).unwrap();
    // Every line is a command of the report itself.
    let annotations = place.read("out.github");
    assert!(
        annotations
            .lines()
            .all(|line| line.starts_with("::error file=") || line.starts_with("::error title=")),
        "{annotations}"
    );
    assert!(annotations.contains("%250A"), "{annotations}");
    // Outside of fences, no tag but those of the report and no mention.
    let markdown = place.read("out.markdown");
    let fence = markdown
        .lines()
        .find(|line| line.ends_with("text") && line.starts_with("```"))
        .unwrap();
    let fence = fence.trim_end_matches("text");
    assert!(fence.len() > 4, "{markdown}");
    let outside: Vec<_> = markdown.split(fence).step_by(2).collect();
    assert!(
        !outside.concat().contains("<script>") && !outside.concat().contains("@all"),
        "{markdown}"
    );
}

/// Adds to every text of a report what would steer a terminal, reorder a line or command a CI server.
fn poison(value: &mut Value, key: &str) {
    const WORDS: [&str; 6] = ["type", "verdict", "standing", "level", "began", "kind"];
    const STATES: [&str; 3] = ["untested", "unshown", "consistent"];
    const POISON: &str =
        "\n::set-output name=x::y\n ##[group]\r\u{1b}[31m\u{9b}1m\u{85}\u{202e}\u{2028}</script>";
    match value {
        Value::String(text) if WORDS.contains(&key) || STATES.contains(&text.as_str()) => {}
        Value::String(text) => text.push_str(POISON),
        Value::Array(values) => values.iter_mut().for_each(|value| poison(value, key)),
        Value::Object(members) => members
            .iter_mut()
            .for_each(|(key, value)| poison(value, key)),
        _ => {}
    }
}

#[test]
fn a_report_of_a_stranger_is_broken_out_of_in_no_format() {
    let place = Place::new();
    let scenario = ["run", "--suite", "royalur/bot/first-seat"];
    let subject = ["--report", "json=own.json", "--as", "bot"];
    let command = ["--", "sh", "-c", BOT];
    let arguments = [&scenario[..], &subject, &command].concat();
    Ran::of(&mut place.command(&arguments)).expect(1);
    let text = place.read("own.json");
    let lines = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        poison(&mut line, "");
        format!("{line}\n")
    });
    place.write("poisoned.json", &lines.collect::<String>());
    let html = ["report", "html", "poisoned.json", "--output", "site"];
    place.urtext(&html).expect(0);
    let page = place.read("site/index.html");
    assert!(!page.contains("</script>"), "{page}");
    let mut made = vec![("html", page)];
    for format in ["junit", "github", "gitlab", "markdown", "json"] {
        let ran = place.urtext(&["report", format, "poisoned.json"]);
        made.push((format, ran.expect(0).stdout));
    }
    for (format, text) in made {
        assert!(text.contains("set-output"), "{format} shows it: {text}");
        let steers = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2028}".contains(c));
        assert!(!text.contains(steers), "{format}: {text:?}");
        let is_own =
            |line: &str| line.starts_with("::error file=") || line.starts_with("::error title=");
        for line in text.lines() {
            let commands = line.trim_start().starts_with("::") || line.contains("##[");
            assert!(
                !commands || format == "github" && is_own(line),
                "{format}: {line}"
            );
        }
    }
    // The report of urtext itself is not changed by being read.
    let merged = place.urtext(&["report", "json", "own.json"]).expect(0);
    assert_eq!(merged.stdout, text);
}
