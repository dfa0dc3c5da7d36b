//! What a subject says reaches a report as text, whatever it says.

use junit_parser::TestStatus;
use serde_json::Value;

use crate::harness::{Place, Ran, python};

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
        assert!(
            text.contains("alert(1)"),
            "{name} does not show the line: {text}"
        );
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
            .contains("::error::from the subject")
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
