//! The schemas that editors are given, held against what is read: they know the same keys, and refuse nothing that is sound.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;

use jsonschema::Validator;
use serde_json::{Map, Value as Json, json};

use urtext::config;
use urtext::diagnostic::{Diagnostics, Faults, Paint, Source, Span};
use urtext::report::Baseline;
use urtext::requirement::Catalogue;
use urtext::scenario::{Alone, files_below, is_scenario_file, resolve, schema};
use urtext::yaml::{Key, Node, Scalar, Style, Value, parse};

use crate::harness::{ROOT, urtext};

fn validator(schema: &Json) -> Validator {
    jsonschema::draft7::new(schema).unwrap_or_else(|error| panic!("at {}", error.instance_path()))
}

/// What a text is to the YAML of an editor.
fn json(text: &str) -> Json {
    let source = Source::new("s.yaml", text);
    parse("scenario:", &Faults::new(&source))
        .as_ref()
        .map_or(Json::Null, of_node)
}

fn of_node(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Scalar(Scalar {
            text,
            style: Style::Plain,
        }) => {
            let number = || text.parse().ok().map(Json::Number);
            text.parse()
                .map(Json::Bool)
                .ok()
                .or_else(number)
                .unwrap_or_else(|| Json::String(text.clone()))
        }
        Value::Scalar(Scalar { text, .. }) => Json::String(text.clone()),
        Value::List(nodes) => nodes.iter().map(of_node).collect(),
        Value::Map(entries) => entries
            .iter()
            .map(|(key, node)| (key.text.clone(), of_node(node)))
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// The texts of all files below a folder that are shipped and pass for one.
fn shipped(is_wanted: impl Fn(&std::path::Path) -> bool) -> BTreeMap<String, String> {
    let mut diagnostics = Diagnostics::new();
    let root = format!("{ROOT}/scenarios");
    let files = files_below(root.as_ref(), &mut diagnostics);
    assert!(diagnostics.is_empty());
    let read = |path: std::path::PathBuf| {
        (
            path.display().to_string(),
            fs::read_to_string(&path).unwrap(),
        )
    };
    files
        .into_iter()
        .filter(|path| is_wanted(path))
        .map(read)
        .collect()
}

/// The examples of a page.
fn examples(page: &str) -> Vec<String> {
    let page = fs::read_to_string(format!("{ROOT}/{page}")).unwrap();
    page.split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .map(str::to_owned)
        .collect()
}

fn assert_valid(validator: &Validator, name: &str, text: &str) {
    let errors: Vec<String> = validator
        .iter_errors(&json(text))
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}

#[test]
fn every_shipped_file_and_every_example_is_as_its_schema_says() {
    let scenario = validator(&schema::scenario());
    let scenarios = shipped(|path| {
        is_scenario_file(path)
            || path
                .file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"_"))
    });
    assert!(scenarios.len() > 60);
    for (name, text) in &scenarios {
        assert_valid(&scenario, name, text);
    }
    for page in ["docs/scenarios.md", "docs/games.md"] {
        for example in examples(page) {
            assert_valid(&scenario, page, &example);
        }
    }
    let baseline = validator(&Baseline::schema());
    let page = "docs/running.md";
    let known_failures = examples(page);
    let known_failures = known_failures
        .iter()
        .find(|text| text.starts_with("failures:"))
        .unwrap();
    assert_valid(&baseline, page, known_failures);
    let catalogue = validator(&Catalogue::schema());
    let catalogues = shipped(|path| path.ends_with("requirements.yaml"));
    assert_eq!(catalogues.len(), 3);
    for (name, text) in &catalogues {
        assert_valid(&catalogue, name, text);
    }
}

#[test]
fn the_program_prints_each_schema() {
    let printed = |args: &[&str]| -> Json {
        serde_json::from_str(&urtext(&[&["schema"], args].concat()).expect(0).stdout).unwrap()
    };
    assert_eq!(printed(&[]), schema::scenario());
    assert_eq!(printed(&["config"]), config::file::schema());
    assert_eq!(printed(&["requirements"]), Catalogue::schema());
    assert_eq!(printed(&["baseline"]), Baseline::schema());
}

/// Mappings of a schema by their titles, with the keys that they know.
fn mappings(schema: &Json, found: &mut BTreeMap<String, BTreeSet<String>>) {
    match schema {
        Json::Object(entries) => {
            if let (Some(Json::String(title)), Some(Json::Object(keys))) =
                (entries.get("title"), entries.get("properties"))
            {
                found.insert(title.clone(), keys.keys().cloned().collect());
            }
            entries.values().for_each(|value| mappings(value, found));
        }
        Json::Array(values) => values.iter().for_each(|value| mappings(value, found)),
        _ => {}
    }
}

/// The keys of which the reader says that there are no others.
fn read_keys(drawn: &str, title: &str) -> BTreeSet<String> {
    let known = format!("the keys of {title} are ");
    let rest = drawn
        .split(&known)
        .nth(1)
        .unwrap_or_else(|| panic!("{title} is not read: {drawn}"));
    rest.lines()
        .next()
        .unwrap()
        .split(", ")
        .map(|key| key.trim_matches('`').to_owned())
        .collect()
}

/// The schema knows the keys that are read: each text is a mapping of that title with a key that there is not. Some titles are read by other means.
fn assert_keys(
    schema: &Json,
    others: &[&str],
    texts: &[(&str, String)],
    read: impl Fn(&str, &str) -> BTreeSet<String>,
) {
    let mut known = BTreeMap::new();
    mappings(schema, &mut known);
    for (title, text) in texts {
        let keys = read(title, text);
        assert_eq!(known.remove(*title), Some(keys), "{title}");
    }
    assert_eq!(known.into_keys().collect::<Vec<_>>(), others);
}

#[test]
fn the_schema_of_a_scenario_knows_the_keys_that_are_read() {
    let head = "scenario: t\nsubject: referee\n";
    let checks = "checks: [ur/roll/line]\n";
    let turns = |turn: &str| {
        format!("{head}{checks}game: royalur\nturns:\n  - first: 0 0 0 1\n    {turn}\n")
    };
    let steps = |step: &str| format!("{head}game: lines\nsteps:\n  - {step}\n");
    let meanwhile = "silent: until the timeout\n    meanwhile: [{second: {send: x, qqqqq: x}}]";
    let texts = [
        (
            "a scenario",
            format!("{head}{checks}game: onitama\nturns: []\nqqqqq: x\n"),
        ),
        ("a scenario of lines", steps("all gets: x\nqqqqq: x")),
        (
            "a piece of what is sent",
            turns("send: {hex: \"00\", qqqqq: x}"),
        ),
        ("what is done meanwhile", turns(meanwhile)),
        (
            "a line that has to come",
            steps("first gets: {optional: x, qqqqq: x}"),
        ),
        (
            "a way to read",
            steps("first reads: {bytes a second: 1, qqqqq: x}"),
        ),
        ("a repeat", steps("{repeat: 1, steps: [], qqqqq: x}")),
    ];
    // Of three of them there are tests beside the schema; a file that is included is read only where one includes it.
    let others = [
        "a case",
        "a file that is included",
        "a turn",
        "what happens meanwhile",
    ];
    assert_keys(&schema::scenario(), &others, &texts, |title, text| {
        let (_, faults) = resolve(&Source::new("s.yaml", text), "s", &Alone);
        read_keys(&faults.draw(Paint::Plain), title)
    });
}

#[test]
fn the_schema_of_urtext_yaml_knows_the_keys_that_are_read() {
    let subject = |text: &str| {
        format!(
            "subjects:\n  s:\n    as: referee\n    game: royalur\n    command: [x]\n    {text}\n"
        )
    };
    let texts = [
        ("urtext.yaml", "subjects: {}\nqqqqq: x\n".to_owned()),
        ("run", "run: {qqqqq: x}\nsubjects: {}\n".to_owned()),
        (
            "report",
            "run: {report: {qqqqq: x}}\nsubjects: {}\n".to_owned(),
        ),
        ("a subject", subject("qqqqq: x")),
        ("players", subject("players: {qqqqq: x}")),
        ("spectators", subject("spectators: {qqqqq: x}")),
        ("rolls", subject("rolls: {file: true, qqqqq: x}")),
        ("limits", subject("limits: {qqqqq: x}")),
        ("budgets", subject("budgets: {qqqqq: x}")),
        (
            "a parameter",
            subject("parameters: {x: {type: text, qqqqq: x}}"),
        ),
    ];
    assert_keys(&config::file::schema(), &[], &texts, |title, text| {
        let source = Source::new("urtext.yaml", text);
        let faults = config::file::read(&source, ROOT.as_ref(), false).problems;
        read_keys(&faults.draw(Paint::Plain), title)
    });
}

/// The kind of a value, in words.
fn kind_in_words(shape: &Json) -> String {
    let words = |list: &Json| -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        // In a scenario, a name in braces can stand for each value.
        let is_name = |shape: &&Json| {
            shape["pattern"]
                .as_str()
                .is_some_and(|it| it.starts_with("\\{"))
        };
        let kinds = list
            .as_array()
            .unwrap()
            .iter()
            .filter(|shape| !is_name(shape));
        for word in kinds.map(kind_in_words) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    };
    if let Some(word) = shape.as_str() {
        return format!("`{word}`");
    }
    if shape["enum"].is_array() {
        return words(&shape["enum"]).join(", ");
    }
    if shape["anyOf"].is_array() {
        return words(&shape["anyOf"]).join(" or ");
    }
    if let Json::Array(examples) = &shape["examples"] {
        return format!("such as `{}`", examples[0].as_str().unwrap());
    }
    match shape["type"].as_str() {
        Some("integer") if shape["maximum"] == u32::MAX => format!("from {}", shape["minimum"]),
        Some("integer") => format!("{} to {}", shape["minimum"], shape["maximum"]),
        Some("boolean") => "`true`".to_owned(),
        Some("array") => "list".to_owned(),
        Some("object") => "mapping".to_owned(),
        _ => "text".to_owned(),
    }
}

/// The rows of the keys of a mapping, each followed by those of the keys below it. Other parts of the pages describe budgets, and what two
/// keys have in common has one row.
fn key_rows(above: &str, mapping: &Json, rows: &mut String) {
    for (key, shape) in mapping["properties"].as_object().unwrap() {
        let required = mapping["required"].as_array();
        let is_required = required.is_some_and(|keys| keys.contains(&json!(key)));
        let needed = if is_required { ", required" } else { "" };
        let (kind, says) = (
            kind_in_words(shape),
            shape["description"].as_str().unwrap_or(""),
        );
        if !rows.contains(&format!("{key}` | {kind} | {says} |")) {
            *rows += &format!("| `{above}{key}` | {kind}{needed} | {says} |\n");
        }
        let shapes = shape["anyOf"].as_array().into_iter().flatten();
        let below = shapes
            .chain([shape])
            .find(|shape| shape["properties"].is_object());
        if let Some(below) = below.filter(|below| below["title"] != "budgets") {
            key_rows(&format!("{above}{key}."), below, rows);
        }
    }
}

/// `URTEXT_BLESS=1` writes the tables into the pages.
#[test]
fn the_tables_of_keys_in_the_pages_are_those_of_the_readers() {
    let (subjects, scenario) = (config::file::schema(), schema::scenario());
    let subject = &subjects["properties"]["subjects"]["additionalProperties"];
    for (page, mapping) in [
        ("urtext-yaml", subject),
        ("scenarios", &scenario["else"]["else"]),
    ] {
        let mut table = "| key | value | meaning |\n| --- | --- | --- |\n".to_owned();
        key_rows("", mapping, &mut table);
        let path = format!("{ROOT}/docs/{page}.md");
        let page = fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once("## Keys\n\n").unwrap();
        let (old, after) = rest.split_once("\n\n").unwrap();
        if std::env::var_os("URTEXT_BLESS").is_some() {
            fs::write(path, format!("{before}## Keys\n\n{table}\n{after}")).unwrap();
        } else {
            assert_eq!(old, table.trim_end(), "URTEXT_BLESS=1 writes the table");
        }
    }
}

#[test]
fn the_schema_of_urtext_yaml_refuses_a_parameter_that_no_placeholder_can_name() {
    let schema = validator(&config::file::schema());
    let is_valid = |name: &str| {
        let text = format!(
            "subjects: {{s: {{as: bot, game: ur, parameters: {{{name}: {{type: text}}}}}}}}"
        );
        schema.is_valid(&json(&text))
    };
    assert!(is_valid("think_time"));
    for name in ["Think", "think-time", "depth2"] {
        assert!(!is_valid(name), "{name}");
    }
}

#[test]
fn the_schema_of_a_baseline_knows_the_keys_that_are_read() {
    let entry = "failures: [{scenario: x, reason: x, qqqqq: x}]\n";
    let texts = [
        (
            "urtext-baseline.yaml",
            "failures: []\nqqqqq: x\n".to_owned(),
        ),
        ("a known failure", entry.to_owned()),
    ];
    assert_keys(&Baseline::schema(), &[], &texts, |title, text| {
        let faults = Baseline::read(Source::new("urtext-baseline.yaml", text)).unwrap_err();
        read_keys(&faults.draw(Paint::Plain), title)
    });
}

#[test]
fn the_schema_of_a_catalogue_knows_the_keys_that_are_read() {
    let of = |more: &str| format!("protocol: x\nseeds: {{}}\n{more}\n");
    let texts = [
        ("a catalogue of requirements", "qqqqq: x\n".to_owned()),
        ("a requirement", of("requirements: [{qqqqq: x}]")),
        (
            "a quote",
            of("requirements: [{id: x, level: must, summary: x, also: [{qqqqq: x}]}]"),
        ),
        (
            "a limit of matches",
            of("requirements: [{id: x, level: must, summary: x, match: {qqqqq: x}}]"),
        ),
        (
            "a requirement that went",
            of("requirements: []\ngone: [{qqqqq: x}]"),
        ),
    ];
    assert_keys(&Catalogue::schema(), &[], &texts, |title, text| {
        let faults = Catalogue::of(&Source::new("requirements.yaml", text)).unwrap_err();
        read_keys(&faults.draw(Paint::Plain), title)
    });
}

/// A tree as text in which every place is as in the tree.
fn written(node: &Node) -> String {
    let quoted = |text: &str| Json::String(text.to_owned()).to_string();
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Scalar(Scalar {
            text,
            style: Style::Plain,
        }) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            text.clone()
        }
        Value::Scalar(Scalar { text, .. }) => quoted(text),
        Value::List(nodes) => format!(
            "[{}]",
            nodes.iter().map(written).collect::<Vec<_>>().join(", ")
        ),
        Value::Map(entries) => {
            let entry =
                |(key, node): &(Key, Node)| format!("{}: {}", quoted(&key.text), written(node));
            format!(
                "{{{}}}",
                entries.iter().map(entry).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

fn plain(text: &str) -> Value {
    Value::Scalar(Scalar {
        text: text.to_owned(),
        style: Style::Plain,
    })
}

/// The places of a tree by the numbers that lead there, each kind of place once.
fn places(
    node: &Node,
    at: &[usize],
    kind: &str,
    seen: &mut HashSet<String>,
    found: &mut Vec<Vec<usize>>,
) {
    if seen.insert(kind.to_owned()) {
        found.push(at.to_vec());
    }
    let inner: Vec<(String, &Node)> = match &node.value {
        Value::List(nodes) => nodes
            .iter()
            .map(|node| (format!("{kind}[]"), node))
            .collect(),
        Value::Map(entries) => entries
            .iter()
            .map(|(key, node)| (format!("{kind}.{}", key.text), node))
            .collect(),
        _ => Vec::new(),
    };
    for (index, (kind, node)) in inner.into_iter().enumerate() {
        places(node, &[at, &[index]].concat(), &kind, seen, found);
    }
}

fn place<'n>(node: &'n mut Node, at: &[usize]) -> &'n mut Node {
    let Some((first, rest)) = at.split_first() else {
        return node;
    };
    match &mut node.value {
        Value::List(nodes) => place(&mut nodes[*first], rest),
        Value::Map(entries) => place(&mut entries[*first].1, rest),
        _ => panic!("no such place"),
    }
}

/// Texts in each of which one place is otherwise.
fn changed(root: &Node, at: &[usize]) -> Vec<String> {
    let node = |value| Node {
        span: Span::at(0),
        value,
    };
    let key = |text: &str| Key {
        span: Span::at(0),
        text: text.to_owned(),
    };
    let mut texts = Vec::new();
    let mut change = |change: &dyn Fn(&mut Value)| {
        let mut root = root.clone();
        change(&mut place(&mut root, at).value);
        texts.push(written(&root));
    };
    change(&|_| {});
    change(&|value| *value = Value::Null);
    change(&|value| *value = plain("x"));
    change(&|value| *value = plain("7"));
    change(&|value| *value = plain("true"));
    change(&|value| *value = Value::List(vec![node(plain("x"))]));
    change(&|value| *value = Value::Map(vec![(key("x"), node(plain("x")))]));
    change(&|value| {
        if let Value::Map(entries) = value {
            entries.push((key("qqqqq"), node(plain("x"))));
        }
    });
    for index in 0.. {
        let mut root = root.clone();
        let Value::Map(entries) = &mut place(&mut root, at).value else {
            break;
        };
        if index == entries.len() {
            break;
        }
        let (key, _) = entries.remove(index);
        // Whether a seat is needed depends on the side, which a schema would have to say twice.
        if key.text != "seat" {
            texts.push(written(&root));
        }
    }
    texts
}

#[test]
fn the_schema_refuses_what_has_another_form_and_nothing_that_is_sound() {
    let schema = validator(&schema::scenario());
    let mut seen = HashSet::new();
    let (mut sound, mut refused) = (0, 0);
    let texts = shipped(is_scenario_file)
        .into_values()
        .chain(examples("docs/scenarios.md"));
    for text in texts {
        let source = Source::new("s.yaml", text);
        let root = parse("scenario:", &Faults::new(&source)).unwrap();
        let kind = |key: &str| {
            root.entry(key)
                .map(|(_, node)| written(node))
                .unwrap_or_default()
        };
        let mut found = Vec::new();
        places(
            &root,
            &[],
            &format!("{} {}", kind("game"), kind("subject")),
            &mut seen,
            &mut found,
        );
        let Value::Map(keys) = &root.value else {
            panic!("a scenario is a mapping");
        };
        let cases = keys.iter().position(|(key, _)| key.text == "cases");
        let texts = found
            .iter()
            .flat_map(|at| changed(&root, at).into_iter().map(move |text| (at, text)));
        for (at, text) in texts {
            // To a schema, what a case fills in is any text.
            let is_filled_in = at.len() > 1 && cases == Some(at[0]);
            let (_, faults) = resolve(&Source::new("s.yaml", text.as_str()), "s", &Alone);
            let is_valid = schema.is_valid(&json(&text));
            let of_form = ["yaml/unknown-key", "yaml/missing-key", "yaml/expected-"];
            let form = faults
                .sorted()
                .into_iter()
                .find(|fault| of_form.iter().any(|code| fault.code().starts_with(code)));
            if !faults.has_errors() {
                sound += 1;
                assert!(is_valid, "the schema refuses {text}");
            } else if let Some(form) = form.filter(|_| !is_filled_in) {
                refused += 1;
                assert!(!is_valid, "the schema takes {text}: {form}");
            }
        }
    }
    assert!(sound > 50 && refused > 300, "{sound} {refused}");
}
