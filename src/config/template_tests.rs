use super::*;

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
    values.insert_list(
        "seat_first",
        vec!["urtext".to_owned(), "seat".to_owned(), "a b".to_owned()],
    );
    assert_eq!(template.fill(&values), ["ref", "urtext", "seat", "a b"]);
    values.insert_list(
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
    let fault = |word: &str| Template::parse(&[word]).unwrap_err().to_string();
    assert_eq!(
        fault("{prot}"),
        "{prot} in `{prot}` is no place that can be filled; did you mean {port}?"
    );
    for (other, meant) in [
        ("dice_file", "rolls_file"),
        ("dice", "rolls"),
        ("player_port", "port"),
        ("coins_path", "rolls_file"),
    ] {
        let fault = fault(&format!("{{{other}}}"));
        assert!(
            fault.ends_with(&format!("did you mean {{{meant}}}?")),
            "{fault}"
        );
    }
    assert!(!fault("{banana}").contains("did you mean"));
    assert_eq!(
        fault("{seat_frist...}"),
        "{seat_frist...} in `{seat_frist...}` is no place that can be filled; did you mean {seat_first...}?"
    );
    assert_eq!(
        fault("x{seat_first...}"),
        "{seat_first...} in `x{seat_first...}` expands to several words, and must be a word of its own"
    );
    assert!(
        Word::parse("{pipe_out_spectators...}", &[])
            .unwrap_err()
            .to_string()
            .contains("expands to a list")
    );
    assert!(Word::parse("{level}", &["level"]).is_ok());
}

#[test]
fn leaves_out_an_option_with_its_place() {
    let filled = |words: &[&str], places: &[&str]| {
        let template = Template::parse(words).unwrap().without(places)?;
        Some(template.fill(&Values::from([
            ("timeout", "3".to_owned()),
            ("pace", "0".to_owned()),
        ])))
    };
    let words = [
        "referee",
        "--timeout",
        "{timeout}",
        "-v",
        "{pace}",
        "--pace={pace}",
        "end",
    ];
    let kept = |words: &[&str]| {
        Some(
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        filled(&words, &["timeout"]),
        kept(&["referee", "-v", "0", "--pace=0", "end"])
    );
    assert_eq!(
        filled(&words, &["pace"]),
        kept(&["referee", "--timeout", "3", "end"])
    );
    assert_eq!(
        filled(&words, &[]),
        kept(&["referee", "--timeout", "3", "-v", "0", "--pace=0", "end"])
    );
    assert_eq!(
        filled(&["referee", "{timeout}"], &["timeout"]),
        kept(&["referee"])
    );
    assert_eq!(filled(&["referee", "time:{timeout}"], &["timeout"]), None);
}
