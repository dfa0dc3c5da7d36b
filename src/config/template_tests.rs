use super::*;
use crate::case_files::assert_lines;

#[test]
fn fills_places_inside_words_and_never_splits_a_value() {
    let template = Template::parse(&[
        "ref",
        "--listen=127.0.0.1:{port}",
        "{first}",
        "{{port}",
        "{\"a\": 1}",
        "",
    ])
    .unwrap();
    let values = Values::from([("port", "4000".to_owned()), ("first", "a b; rm".to_owned())]);
    assert_eq!(
        template.fill(&values),
        [
            "ref",
            "--listen=127.0.0.1:4000",
            "a b; rm",
            "{port}",
            "{\"a\": 1}",
            ""
        ]
    );
    assert!(template.takes("port") && !template.takes("second"));
}

#[test]
fn a_place_for_a_list_repeats_its_word() {
    let template =
        Template::parse(&["ref", "{seat_first...}", "--watch={pipe_out_spectators...}"]).unwrap();
    let mut values = Values::default();
    values.extend_list(
        "seat_first",
        vec!["urtext".to_owned(), "seat".to_owned(), "a b".to_owned()],
    );
    assert_eq!(template.fill(&values), ["ref", "urtext", "seat", "a b"]);
    values.extend_list(
        "pipe_out_spectators",
        vec!["/s1".to_owned(), "/s2".to_owned()],
    );
    assert_eq!(
        template.fill(&values),
        ["ref", "urtext", "seat", "a b", "--watch=/s1", "--watch=/s2"]
    );
    assert!(template.takes("seat_first"));
}

#[test]
fn a_value_is_not_read_for_places_again() {
    let template = Template::parse(&["{first}"]).unwrap();
    assert_eq!(
        template.fill(&Values::from([("first", "{port}".to_owned())])),
        ["{port}"]
    );
}

#[test]
fn names_the_place_that_was_meant() {
    let said = |problem: Problem| {
        let meant = problem
            .help
            .first()
            .filter(|help| help.starts_with("write "));
        format!("{}, {meant:?}", problem.title)
    };
    assert_lines("placeholders", |word| {
        let in_command = Template::parse(&[word]).map_or_else(said, |_| "fine".to_owned());
        let alone = Word::parse(word, &["level"]).map_or_else(said, |_| "fine".to_owned());
        format!("{in_command}; {alone}")
    });
}

#[test]
fn leaves_out_an_option_with_its_place() {
    // COMMAND | the place that is left out
    assert_lines("commands-without-a-place", |row| {
        let (command, place) = row.split_once(" | ").unwrap();
        let words: Vec<_> = command.split(' ').collect();
        let values = Values::from([("timeout", "3".to_owned()), ("pace", "0".to_owned())]);
        let left = Template::parse(&words).unwrap().without(&[place]);
        format!("{:?}", left.map(|left| left.fill(&values)))
    });
}
