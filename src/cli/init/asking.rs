//! A dialogue with somebody who sits at a terminal.

use std::io::{BufRead, Write};
use std::path::Path;

use super::answers::{Answers, Place};
use crate::cli::subject::quote;
use crate::config::file;
use crate::diagnostic::{Diagnostic, Severity, Source};

pub(super) struct Asking<'a> {
    pub(super) input: &'a mut dyn BufRead,
    pub(super) output: &'a mut dyn Write,
    /// The folder that the file is to be written in.
    pub(super) folder: &'a Path,
    /// The flags that repeat the answers so far, and where the subject is.
    pub(super) given: Vec<String>,
    pub(super) at: Option<Place>,
}

impl Asking<'_> {
    /// Notes the flag that repeats an answer.
    pub(super) fn given(&mut self, flag: &str, value: &str) {
        self.given.extend([flag.to_owned(), quote(value)]);
    }

    pub(super) fn given_if(&mut self, flag: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.given(flag, value);
        }
    }

    /// Asks until the answer can be used: `put` puts it into the answers, and what would be written with them is read again.
    pub(super) fn set(
        &mut self,
        answers: &mut Answers,
        question: &str,
        usual: &str,
        put: impl Fn(&mut Answers, &str) -> Result<(), String>,
    ) -> Result<(), Diagnostic> {
        let folder = self.folder;
        *answers = self.until(question, usual, |answer| {
            let mut answered = answers.clone();
            put(&mut answered, answer)?;
            let text = super::text::text(&answered, folder);
            let (_, faults) = file::read(&Source::new(file::NAME, text.as_str()), folder);
            match faults
                .sorted()
                .into_iter()
                .find(|fault| fault.severity() == Severity::Error)
            {
                Some(fault) => Err(fault.title().to_owned()),
                None => Ok(answered),
            }
        })?;
        Ok(())
    }

    /// Asks until the answer can be used; an empty one is the usual one.
    pub(super) fn until<T>(
        &mut self,
        question: &str,
        usual: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Diagnostic> {
        loop {
            let shown = if usual.is_empty() {
                String::new()
            } else {
                format!(" [{usual}]")
            };
            write!(self.output, "{question}{shown} ")
                .and_then(|()| self.output.flush())
                .map_err(broken)?;
            let mut line = String::new();
            if self.input.read_line(&mut line).map_err(broken)? == 0 {
                return Err(self.unanswered(question));
            }
            let answer = if line.trim().is_empty() {
                usual
            } else {
                line.trim()
            };
            match read(answer) {
                Ok(value) => return Ok(value),
                Err(help) => self.say(&help)?,
            }
        }
    }

    pub(super) fn say(&mut self, text: &str) -> Result<(), Diagnostic> {
        writeln!(self.output, "{text}").map_err(broken)
    }

    /// The fault of an input that ends before the last answer.
    fn unanswered(&self, question: &str) -> Diagnostic {
        let fault = Diagnostic::error("init/unanswered", format!("no answer to: {question}"));
        let mut words = self.given.clone();
        match &self.at {
            Some(Place::Running(players)) => words.extend(["--connect".to_owned(), quote(players)]),
            Some(Place::Command(command)) => {
                words.push("--".to_owned());
                words.extend(command.iter().map(|word| quote(word)));
            }
            None => {}
        }
        match words.is_empty() {
            true => fault,
            false => fault.help(format!(
                "the answers so far: urtext init {}",
                words.join(" ")
            )),
        }
    }
}

fn broken(error: std::io::Error) -> Diagnostic {
    Diagnostic::error("init/terminal", error.to_string())
}
