//! A dialogue without rules: lines are sent and expected as the scenario has them.

use std::sync::Arc;
use std::time::Duration;

use super::action::Command;
use super::dialogue_finding::{ended, forbidden, shown, silence};
use super::finding_context;
use super::lane::LaneState;
use super::progress::{AT_ONCE, COMPARED, Talk, fill};
use super::slack::patience;
use super::speechless::never_spoke;
use super::wait::Wait;
use crate::diagnostic::Span;
use crate::event::{Event, What};
use crate::finding::{Finding, FindingKind, LaneText, Verdict};
use crate::protocol::LineEnding;
use crate::scenario::{Coming, Deed, LineAct, LineStep, MOST_SENT, SendPart, Side, Wanted};
use crate::transcript::Close;

/// Wait for a surplus line after the last step, if no close rules one out.
const TRAILING: Duration = Duration::from_millis(50);

/// The most lines that pass by before the one that a step waits for.
const MOST_PASSED: u64 = 10_000;

/// True if the step is done, false if it waits; otherwise the finding that ends the game.
type Played = Result<bool, Box<Finding>>;

impl Talk {
    /// Takes an event, and plays on as far as possible now.
    pub(super) fn play_on(&mut self, event: &Event) {
        let theirs = self.seen.subject_direction();
        self.seen.has_begun |= self.seen.lanes.iter().all(|lane| lane.is_open);
        let leaving = self.outgoing.leaving.map(|(lane, _)| lane);
        match event.what {
            What::Closed {
                lane, direction, ..
            } if direction != theirs && leaving == Some(lane) => {
                self.outgoing.leaving = None;
                self.seen.lanes[lane].has_left = true;
                self.seen.step_done();
            }
            What::Interrupted => self.finish(),
            _ => {}
        }
        self.refuse_flood();
        if !self.seen.has_begun || self.results.is_finished {
            return;
        }
        if self.seen.room == 0 {
            // To go on at once, the judge has given up the time that it was to be woken at.
            let woken = self.waits.current.map(|(_, until)| Command::WakeAt(until));
            self.results.commands.extend(woken);
        }
        self.seen.room = AT_ONCE;
        self.advance();
        if self.seen.room == 0 && !self.results.is_finished {
            self.results.commands.push(Command::WakeAt(self.seen.now));
        }
    }

    fn advance(&mut self) {
        let dialogue = Arc::clone(&self.seen.dialogue);
        while !self.results.is_finished && self.seen.room > 0 {
            let Some(step) = self.seen.kind.current(&dialogue) else {
                return self.end();
            };
            self.seen.room -= 1;
            match self.play(step) {
                Ok(true) => {
                    self.waits.current = None;
                    self.seen.step_done();
                }
                Ok(false) => return,
                Err(finding) => return self.fail(*finding),
            }
        }
    }

    /// Plays the current step as far as possible now.
    fn play(&mut self, step: &LineStep) -> Played {
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
    fn does(&mut self, step: &LineStep, deed: &Deed) -> Played {
        let (lane, is_under_way) = (step.lanes[0], self.seen.is_under_way);
        self.seen.is_under_way = true;
        match deed {
            Deed::Leave(how) => {
                // The end of a direction is reported once.
                let here = &self.seen.lanes[lane];
                let is_told = !here.has_left && !here.reader_closed;
                if !is_under_way {
                    self.outgoing.leaving = is_told.then_some((lane, *how));
                    let command = Command::Leave { lane, how: *how };
                    self.results.commands.push(command);
                }
                Ok(!is_told)
            }
            Deed::Read(pace) => {
                let command = Command::Read { lane, pace: *pace };
                self.results.commands.push(command);
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
    fn hand_out(
        &mut self,
        step: &LineStep,
        lane: usize,
        parts: &[SendPart],
    ) -> Result<(), Box<Finding>> {
        for piece in parts {
            let piece = match piece {
                SendPart::Bytes(bytes) => {
                    let most = MOST_SENT - self.seen.sent;
                    let Some(bytes) = fill(bytes, &self.seen.known, most) else {
                        let title = format!(
                            "with what was captured, the scenario sends more than {MOST_SENT} bytes, the most that is sent"
                        );
                        let mut finding = Finding::new(Verdict::Error, title);
                        finding.span = Some(step.span);
                        return Err(finding.into());
                    };
                    self.seen.sent += bytes.len();
                    self.seen.room = self.seen.room.saturating_sub(bytes.len() / 1024);
                    SendPart::Bytes(bytes)
                }
                piece => piece.clone(),
            };
            self.outgoing.outbox.push_back((lane, piece));
        }
        Ok(())
    }

    fn expect(&mut self, step: &LineStep, want: &Arc<Wanted>) -> Played {
        for &lane in &step.lanes {
            match want.how {
                // Whether it came shows when the next line of the lane does.
                Coming::Optional => self.seen.queues[lane].may_skip(want),
                Coming::Never => self.seen.queues[lane].forbid(want),
                Coming::AnyOf | Coming::InAnyOrder | Coming::Until => {
                    self.take_lines(step, lane, want)?;
                }
            }
        }
        let is_due = |lane: &&usize| !self.seen.queues[**lane].is_served(want);
        let Some(&lane) = step.lanes.iter().find(is_due).filter(|_| want.is_due()) else {
            return Ok(true);
        };
        if self.seen.room == 0 {
            return Ok(false);
        }
        let differs = |state: &Talk, came| {
            let number = state.seen.queues[lane].count + 1;
            let due = state.seen.due(lane, want);
            state.seen.differs(step.span, lane, number, due, came)
        };
        if let Some(close) = self.seen.lanes[lane].ended {
            return Err(differs(self, ended(close)).into());
        }
        let budget = patience(&self.seen, self.seen.settings.budgets.answer);
        if self.expired() != Some(Wait::Answer) {
            self.wait(Wait::Answer, self.seen.now + budget);
            return Ok(false);
        }
        let mut finding = differs(self, silence(budget));
        finding.by_silence = true;
        if !self.seen.heard.anything {
            finding = never_spoke(&self.seen);
            finding.span = Some(step.span);
        }
        let asleep = finding_context::asleep(&self.seen).filter(|_| finding.by_silence);
        finding.notes.extend(asleep);
        Err(finding.into())
    }

    /// Takes lines that came on a lane, until what is wanted there has come.
    fn take_lines(
        &mut self,
        step: &LineStep,
        lane: usize,
        want: &Wanted,
    ) -> Result<(), Box<Finding>> {
        while self.seen.room > 0 && !self.seen.queues[lane].is_served(want) {
            let Some((number, line)) = self.seen.next_line(lane) else {
                break;
            };
            let progress = &mut self.seen.kind;
            progress.room = progress.room.saturating_sub(want.lines.len() / COMPARED);
            let (here, known) = (&mut progress.queues[lane], &mut progress.known);
            if let Some(never) = here.never.iter().find(|never| never.fits(&line, known)) {
                let nothing = forbidden(never, known);
                let finding = self
                    .seen
                    .differs(step.span, lane, number, nothing, shown(&line));
                return Err(finding.into());
            }
            let whole = line.ending == LineEnding::Newline;
            let left = want.lines.iter().enumerate();
            let mut left = left.filter(|(place, _)| whole && !here.taken.contains(place));
            let fitting =
                left.find_map(|(place, wanted)| Some((place, wanted.fits(&line.text, known)?)));
            if let Some((place, captured)) = fitting {
                here.taken.push(place);
                here.optional.clear();
                let names = captured.keys().cloned();
                let at = names.map(|name| (name, (lane, number)));
                progress.captured_at.extend(at);
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
            let due = self.seen.due(lane, want);
            let mut finding = self
                .seen
                .differs(step.span, lane, number, due, shown(&line));
            finding.notes = self.seen.captures(&want.lines);
            finding.notes.extend(is_until.then(|| {
                format!(
                    "at most {MOST_PASSED} other lines are ignored before it, and this is one more"
                )
            }));
            return Err(finding.into());
        }
        Ok(())
    }

    fn expect_end(&mut self, step: &LineStep, lane: usize, how: Option<Close>) -> Played {
        let surplus = self.seen.next_surplus(lane);
        if surplus.is_none() && self.seen.room == 0 {
            return Ok(false);
        }
        let close = self.seen.lanes[lane].ended;
        let budget = self.seen.settings.budgets.close;
        let (came, action) = match (&surplus, close) {
            (Some((_, line)), _) => (shown(line), "has a line where its end is due"),
            (None, Some(close)) if how.is_none_or(|how| how == close) => {
                self.seen.queues[lane].is_end_seen = true;
                return Ok(true);
            }
            (None, Some(close)) => (ended(close), "ended otherwise than is due"),
            (None, None) if self.expired() == Some(Wait::Close) => {
                (silence(budget), "did not end, and its end is due")
            }
            (None, None) => {
                self.wait(Wait::Close, self.seen.now + budget);
                return Ok(false);
            }
        };
        let next = self.seen.queues[lane].count + 1;
        let number = surplus.as_ref().map_or(next, |(number, _)| *number);
        let due = ended(how.unwrap_or(Close::End));
        let mut finding = self.seen.differs(step.span, lane, number, due, came);
        let lane = self.seen.participant(lane);
        finding.set_kind(FindingKind::DialogueEnd { lane, action });
        finding.by_silence = surplus.is_none() && close.is_none();
        Err(finding.into())
    }

    fn quiet(&mut self, step: &LineStep, time: Duration) -> Played {
        let lane = step.lanes[0];
        while let Some((number, line)) = self.seen.next_line(lane) {
            if !self.seen.kind.skips(lane, &line) {
                let came = shown(&line);
                let finding = self
                    .seen
                    .differs(step.span, lane, number, silence(time), came);
                return Err(finding.into());
            }
            // After a line that may come, nothing has come for no time yet.
            self.waits.current = None;
            if self.seen.room == 0 {
                return Ok(false);
            }
        }
        let here = &self.seen.queues[lane];
        let close = self.seen.lanes[lane].ended;
        if let Some(close) = close.filter(|_| !here.is_end_seen) {
            let (number, came) = (here.count + 1, ended(close));
            let mut finding = self
                .seen
                .differs(step.span, lane, number, silence(time), came);
            let lane = self.seen.participant(lane);
            finding.set_kind(FindingKind::DialogueEndedInSilence(lane));
            return Err(finding.into());
        }
        if self.expired() == Some(Wait::Quiet) {
            return Ok(true);
        }
        self.wait(Wait::Quiet, self.seen.now + time);
        Ok(false)
    }

    /// After the last step nothing may be left over, and the subject is hung up on.
    fn end(&mut self) {
        for lane in 0..self.seen.lanes.len() {
            if let Some((number, line)) = self.seen.next_surplus(lane) {
                let nothing = LaneText::Words("nothing more".to_owned());
                let last = self.seen.dialogue.steps.last();
                let span = last.map_or(Span::at(0), |step| step.span);
                let finding = self.seen.differs(span, lane, number, nothing, shown(&line));
                return self.fail(finding);
            }
            if self.seen.room == 0 {
                return;
            }
        }
        let is_over = |lane: &LaneState| lane.ended.is_some() || lane.has_left;
        let is_referee = self.seen.dialogue.side == Side::Referee;
        let all_over = self.seen.lanes.iter().all(is_over);
        if is_referee && !all_over && self.expired() != Some(Wait::Quiet) {
            // What has been sent with the last line may not have been read with it.
            return self.wait(Wait::Quiet, self.seen.now + TRAILING);
        }
        if !self.seen.has_hung_up && !is_referee {
            // Whatever a bot has still to say it says when its input ends.
            self.seen.has_hung_up = true;
            let lanes = self.seen.lanes.iter().enumerate();
            let open = lanes.filter(|(_, lane)| !lane.has_left);
            let close = open.map(|(lane, _)| Command::Close { lane });
            self.results.commands.extend(close);
        }
        if is_referee || all_over || self.expired() == Some(Wait::CloseAfterUs) {
            return self.finish();
        }
        let budget = self.seen.settings.budgets.close;
        self.wait(Wait::CloseAfterUs, self.seen.now + budget);
    }
}
