//! A dialogue without rules: lines are sent and expected as the scenario has them.

use std::sync::Arc;
use std::time::Duration;

use super::breakdown::never_spoke;
use super::finding_context::{seconds, silence};
use super::progress::{AT_ONCE, COMPARED, Talk, ended, forbidden, shown};
use super::wait::Wait;
use super::watch::{Command, LaneState, Played};
use crate::diagnostic::Span;
use crate::event::{Event, What};
use crate::finding::{Finding, Verdict};
use crate::protocol::LineEnding;
use crate::scenario::{Coming, Deed, LineAct, LineStep, MOST_SENT, SendPart, Side, Wanted};
use crate::transcript::Close;

/// Wait for a surplus line after the last step, if no close rules one out.
const TRAILING: Duration = Duration::from_millis(50);

/// The most lines that pass by before the one that a step waits for.
const MOST_PASSED: u64 = 10_000;

impl Talk {
    /// Takes an event, and plays on as far as possible now.
    pub(super) fn play_on(&mut self, event: &Event) {
        let theirs = self.subject_direction();
        self.has_begun |= self.lanes.iter().all(|lane| lane.is_open);
        let leaving = self.leaving.map(|(lane, _)| lane);
        match event.what {
            What::Closed {
                lane, direction, ..
            } if direction != theirs && leaving == Some(lane) => {
                self.leaving = None;
                self.lanes[lane].has_left = true;
                self.step_done();
            }
            _ => {}
        }
        if !self.has_begun || self.is_finished {
            return;
        }
        if self.room == 0 {
            // To go on at once, the judge has given up the time that it was to be woken at.
            let woken = self.waiting.map(|(_, until)| Command::WakeAt(until));
            self.commands.extend(woken);
        }
        self.room = AT_ONCE;
        self.advance();
        if self.room == 0 && !self.is_finished {
            let now = Command::WakeAt(self.now);
            self.commands.push(now);
        }
    }

    fn advance(&mut self) {
        let dialogue = Arc::clone(&self.dialogue);
        while !self.is_finished && self.room > 0 {
            let Some(step) = self.current(&dialogue) else {
                return self.end();
            };
            self.room -= 1;
            match self.play(step) {
                Ok(true) => {
                    self.waiting = None;
                    self.step_done();
                }
                Ok(false) => return,
                Err(finding) => return self.fail(*finding),
            }
        }
    }

    /// Plays the current step as far as possible now; false if it waits.
    fn play(&mut self, step: &LineStep) -> Played<bool> {
        match &step.what {
            LineAct::Does(deed) => self.does(step, deed),
            LineAct::Lines(want) => self.expect(step, want),
            LineAct::End(how) => {
                for &lane in &step.lanes {
                    if !self.expect_end(step, lane, *how)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            LineAct::Silence(time) => self.quiet(step, *time),
            LineAct::Repeat { .. } => unreachable!("repeats are gone into"),
        }
    }

    /// Does what urtext's participant has to do.
    fn does(&mut self, step: &LineStep, deed: &Deed) -> Played<bool> {
        let (lane, is_under_way) = (step.lanes[0], self.is_under_way);
        self.is_under_way = true;
        match deed {
            Deed::Leave(how) => {
                // The end of a direction is reported once.
                let here = &self.lanes[lane];
                let is_told = !here.has_left && !here.reader_closed;
                if !is_under_way {
                    self.leaving = is_told.then_some((lane, *how));
                    let command = Command::Leave { lane, how: *how };
                    self.commands.push(command);
                }
                Ok(!is_told)
            }
            Deed::Read(pace) => {
                let command = Command::Read { lane, pace: *pace };
                self.commands.push(command);
                Ok(true)
            }
            deed => {
                // What is captured is filled in once.
                let parts = if is_under_way { &[] } else { deed.parts() };
                self.hand_out(step, lane, parts)?;
                Ok(self.send_waiting())
            }
        }
    }

    /// Hands out pieces to be sent, with what is captured filled in.
    fn hand_out(&mut self, step: &LineStep, lane: usize, parts: &[SendPart]) -> Played {
        let cannot = |verdict, title| {
            let mut finding = Finding::new(verdict, title);
            finding.span = Some(step.span);
            Err(finding.into())
        };
        for piece in parts {
            let is_unknown = |name: &&str| !self.known.contains_key(*name);
            if let Some(name) = piece.names().find(is_unknown) {
                let title = format!("no line that came has a text for {{{name}}}");
                return cannot(Verdict::Inconclusive, title);
            }
            let value = |name: &str| self.known[name].as_slice();
            let texts = piece.texts().into_iter().chain(piece.names().map(value));
            let length: usize = texts.map(<[u8]>::len).sum();
            if length > MOST_SENT - self.sent {
                let title = format!(
                    "with what was captured, the scenario sends more than {MOST_SENT} bytes, the most that is sent"
                );
                return cannot(Verdict::Error, title);
            }
            let piece = piece.filled(value);
            self.sent += length;
            self.room = self.room.saturating_sub(length / 1024);
            self.outbox.push_back((lane, piece));
        }
        Ok(())
    }

    fn expect(&mut self, step: &LineStep, want: &Arc<Wanted>) -> Played<bool> {
        for &lane in &step.lanes {
            match want.how {
                // Whether it came shows when the next line of the lane does.
                Coming::Optional => self.queues[lane].may_skip(want),
                Coming::Never => self.queues[lane].forbid(want),
                Coming::AnyOf | Coming::InAnyOrder | Coming::Until => {
                    self.take_lines(step, lane, want)?;
                }
            }
        }
        let is_due = |lane: &&usize| !self.queues[**lane].is_served(want);
        let Some(&lane) = step.lanes.iter().find(is_due).filter(|_| want.is_due()) else {
            return Ok(true);
        };
        if self.room == 0 {
            return Ok(false);
        }
        let differs = |state: &Talk, came| {
            let number = state.queues[lane].count + 1;
            let due = state.due(lane, want);
            state.differs(step.span, lane, number, due, came)
        };
        if let Some(close) = self.lanes[lane].ended {
            return Err(differs(self, ended(close)).into());
        }
        let budget = self.patience(self.settings.budgets.answer);
        if self.expired() != Some(Wait::Answer) {
            self.wait(Wait::Answer, budget);
            return Ok(false);
        }
        let came = match self.queues[lane].passed {
            0 => silence(budget),
            1 => format!("only another line for {}", seconds(budget)).into(),
            passed => format!("only {passed} other lines for {}", seconds(budget)).into(),
        };
        let mut finding = differs(self, came);
        finding.by_silence = true;
        if !self.heard.anything {
            finding = never_spoke(self, true);
            finding.span = Some(step.span);
        }
        Err(finding.into())
    }

    /// Takes lines that came on a lane, until what is wanted there has come.
    fn take_lines(&mut self, step: &LineStep, lane: usize, want: &Wanted) -> Played {
        while self.room > 0 && !self.queues[lane].is_served(want) {
            let Some((number, line)) = self.next_line(lane) else {
                break;
            };
            self.room = self.room.saturating_sub(want.lines.len() / COMPARED);
            let (here, known) = (&mut self.queues[lane], &mut self.known);
            if let Some(never) = here.never.iter().find(|never| never.fits(&line, known)) {
                let nothing = forbidden(never, known);
                let finding = self.differs(step.span, lane, number, nothing, shown(&line));
                return Err(finding.into());
            }
            let is_whole = line.ending == LineEnding::Newline;
            let taken = is_whole.then(|| here.take(want, &line.text, known));
            if let Some(captured) = taken.flatten() {
                here.optional.clear();
                known.extend(captured);
                continue;
            }
            if here.skips(&line, known) {
                continue;
            }
            here.passed += 1;
            let is_until = want.how == Coming::Until;
            if is_until && here.passed <= MOST_PASSED {
                continue;
            }
            let due = self.due(lane, want);
            let mut finding = self.differs(step.span, lane, number, due, shown(&line));
            finding.notes.extend(is_until.then(|| {
                format!(
                    "at most {MOST_PASSED} other lines are ignored before it, and this is one more"
                )
            }));
            return Err(finding.into());
        }
        Ok(())
    }

    fn expect_end(&mut self, step: &LineStep, lane: usize, how: Option<Close>) -> Played<bool> {
        let surplus = self.next_surplus(lane);
        if surplus.is_none() && self.room == 0 {
            return Ok(false);
        }
        let close = self.lanes[lane].ended;
        let budget = self.settings.budgets.close;
        let (came, action) = match (&surplus, close) {
            (Some((_, line)), _) => (shown(line), "has a line where its end is due"),
            (None, Some(close)) if how.is_none_or(|how| how == close) => {
                self.queues[lane].is_end_seen = true;
                return Ok(true);
            }
            (None, Some(close)) => (ended(close), "ended otherwise than is due"),
            (None, None) if self.expired() == Some(Wait::Close) => {
                (silence(budget), "did not end, and its end is due")
            }
            (None, None) => {
                self.wait(Wait::Close, budget);
                return Ok(false);
            }
        };
        let next = self.queues[lane].count + 1;
        let number = surplus.as_ref().map_or(next, |(number, _)| *number);
        let due = ended(how.unwrap_or(Close::End));
        let mut finding = self.differs(step.span, lane, number, due, came);
        let lane = self.participant(lane);
        finding.title = format!("the stream of {lane} {action}");
        finding.by_silence = surplus.is_none() && close.is_none();
        Err(finding.into())
    }

    fn quiet(&mut self, step: &LineStep, time: Duration) -> Played<bool> {
        let lane = step.lanes[0];
        while let Some((number, line)) = self.next_line(lane) {
            if !self.skips(lane, &line) {
                let came = shown(&line);
                let finding = self.differs(step.span, lane, number, silence(time), came);
                return Err(finding.into());
            }
            // After a line that may come, nothing has come for no time yet.
            self.waiting = None;
            if self.room == 0 {
                return Ok(false);
            }
        }
        let here = &self.queues[lane];
        let close = self.lanes[lane].ended;
        if let Some(close) = close.filter(|_| !here.is_end_seen) {
            let (number, came) = (here.count + 1, ended(close));
            let mut finding = self.differs(step.span, lane, number, silence(time), came);
            let lane = self.participant(lane);
            finding.title = format!("the lane of {lane} ended while nothing was to come");
            return Err(finding.into());
        }
        if self.expired() == Some(Wait::Quiet) {
            return Ok(true);
        }
        self.wait(Wait::Quiet, time);
        Ok(false)
    }

    /// After the last step nothing may be left over, and the subject is hung up on.
    fn end(&mut self) {
        for lane in 0..self.lanes.len() {
            if let Some((number, line)) = self.next_surplus(lane) {
                let nothing = "nothing more".into();
                let last = self.dialogue.steps.last();
                let span = last.map_or(Span::at(0), |step| step.span);
                let finding = self.differs(span, lane, number, nothing, shown(&line));
                return self.fail(finding);
            }
            if self.room == 0 {
                return;
            }
        }
        let is_over = |lane: &LaneState| lane.ended.is_some() || lane.has_left;
        let is_referee = self.dialogue.side == Side::Referee;
        let all_over = self.lanes.iter().all(is_over);
        if is_referee && !all_over && self.expired() != Some(Wait::Quiet) {
            // What has been sent with the last line may not have been read with it.
            return self.wait(Wait::Quiet, TRAILING);
        }
        if !is_referee {
            // Whatever a bot has still to say it says when its input ends.
            self.hang_up();
        }
        if is_referee || all_over || self.expired() == Some(Wait::Close) {
            return self.finish();
        }
        let budget = self.settings.budgets.close;
        self.wait(Wait::Close, budget);
    }
}
