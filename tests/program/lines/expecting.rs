//! What the subject has to send.

use super::play::{bot, referee};

#[test]
fn an_exact_line_and_one_of_several() {
    let steps = "- a gets: hello\n- b gets: {any of: [red, green]}";
    referee(steps, |[mut a, mut b]| {
        a.send("hello\n");
        b.send("green\n");
    })
    .passes();
    let ran = referee(steps, |[mut a, mut b]| {
        a.send("hello\n");
        b.send("blue\n");
    });
    ran.fails(&[
        "b received another line than the one that was due",
        "one of \"red\", \"green\"",
        "received  blue",
    ]);
    referee(steps, |[mut a, _b]| a.send("hello \n")).fails(&["a received another line", "hello "]);
}

#[test]
fn a_pattern_captures_what_is_the_same_from_then_on() {
    let steps =
        "- a gets: welcome {id} of {all}\n- a sends: \"{id}?\"\n- b gets: \"{id} of {all}\"";
    let conforming = |again: &'static str| {
        move |[mut a, mut b]: [super::play::Lane; 2]| {
            a.send("welcome 7 of 9\n");
            assert_eq!(a.line(), b"7?\n");
            b.send(again);
        }
    };
    referee(steps, conforming("7 of 9\n")).passes();
    referee(steps, conforming("8 of 9\n")).fails(&[
        "b received another line",
        "7 of 9",
        "8 of 9",
        "{all} is \"9\", captured from line 1 of a",
        "{id} is \"7\", captured from line 1 of a",
    ]);
    referee("- a gets: \"{x}-{x}\"", |[mut a, _b]| a.send("1-2\n"))
        .fails(&["{x} has to be the same text at each of its places in the line"]);
}

#[test]
fn an_optional_line_may_come_or_not() {
    let steps = "- a gets: {optional: \"note {text}\"}\n- a gets: go";
    referee(steps, |[mut a, _b]| a.send("go\n")).passes();
    referee(steps, |[mut a, _b]| a.send("note x\ngo\n")).passes();
    referee(steps, |[mut a, _b]| a.send("note x\nnote x\ngo\n"))
        .fails(&["a received another line"]);
}

#[test]
fn nothing_else_may_come_before_the_next_line_nor_after_the_last() {
    let steps = "- a gets: one\n- a sends: next\n- a gets: two";
    let surplus = |before: &'static str, after: &'static str| {
        move |[mut a, _b]: [super::play::Lane; 2]| {
            a.send(format!("one\n{before}"));
            // Who sent a surplus line may have been hung up on.
            if a.line() == b"next\n" {
                a.send(format!("two\n{after}"));
            }
        }
    };
    referee(steps, surplus("", "")).passes();
    referee(steps, surplus("surplus\n", "")).fails(&["expected  two", "received  surplus"]);
    referee(steps, surplus("", "surplus\n")).fails(&["nothing more", "received  surplus"]);
}

#[test]
fn all_get_a_line_in_whatever_order() {
    let steps = "- all gets: go";
    referee(steps, |[mut a, mut b]| {
        b.send("go\n");
        a.send("go\n");
    })
    .passes();
    referee(steps, |[mut a, mut b]| {
        b.send("go\n");
        a.send("stop\n");
    })
    .fails(&["a received another line"]);
}

#[test]
fn the_end_of_a_stream_and_how_it_closed() {
    let closing = |[mut a, b]: [super::play::Lane; 2]| {
        assert_eq!(a.line(), b"bye\n");
        drop(a);
        drop(b);
    };
    // What is left unread makes a reset of a close.
    let resetting = |[a, mut b]: [super::play::Lane; 2]| {
        a.stream().peek(&mut [0; 4]).unwrap();
        drop(a);
        b.send("x\n");
    };
    let steps = |how: &str| format!("- a sends: bye\n- a sees: {how}");
    referee(&steps("end"), closing).passes();
    referee(&steps("end by close"), closing).passes();
    let otherwise = "the stream of a ended otherwise than is due";
    referee(&steps("end by reset"), closing).fails(&[
        otherwise,
        "a reset of the connection",
        "the end of the stream",
    ]);
    let talking = |[mut a, _b]: [super::play::Lane; 2]| {
        assert_eq!(a.line(), b"bye\n");
        a.send("one more\n");
    };
    referee(&steps("end"), talking).fails(&[
        "the stream of a has a line where its end is due",
        "received  one more",
    ]);
    let steps = |how: &str| format!("- a sends: bye\n- b gets: x\n- a sees: {how}");
    referee(&steps("end"), resetting).passes();
    referee(&steps("end by reset"), resetting).passes();
    referee(&steps("end by close"), resetting)
        .fails(&["the end of the stream", "a reset of the connection"]);
}

#[test]
fn a_line_that_lacks_its_newline_is_none() {
    referee("- a gets: bye", |[mut a, _b]| a.send("bye"))
        .fails(&["\"bye\" without a newline before the end"]);
}

#[test]
fn an_optional_line_that_lacks_its_newline_is_none_either() {
    let begun = |[mut a, _b]: [super::play::Lane; 2]| a.send("go\nnote x");
    let steps = "- a gets: go\n- a gets: {optional: \"note {text}\"}";
    referee(steps, begun).fails(&[
        "nothing more",
        "\"note x\" without a newline before the end",
    ]);
    referee(&format!("{steps}\n- a sees: end"), begun).fails(&[
        "the end of the stream",
        "\"note x\" without a newline before the end",
    ]);
}

#[test]
fn nothing_comes_for_a_time() {
    let steps = "- a waits: 100ms\n- a sends: go\n- a gets: gone";
    let answer = |early: &'static str| {
        move |[mut a, _b]: [super::play::Lane; 2]| {
            a.send(early);
            assert_eq!(a.line(), b"go\n");
            a.send("gone\n");
        }
    };
    referee(steps, answer("")).passes();
    let hasty = |[mut a, _b]: [super::play::Lane; 2]| a.send("early\n");
    referee(steps, hasty).fails(&["nothing for 0.1 s", "received  early"]);
}

#[test]
fn a_bot_is_waited_for_no_longer_than_its_budget() {
    bot("- bot gets: hello\n- bot sends: hi", "read line; echo hi").passes();
    let ran = bot(
        "- bot gets: hello\n- bot sends: hi\n- bot sends: ho",
        "read line; echo hi; read line",
    );
    ran.fails(&["nothing for 5.0 s", "ho"]);
}
