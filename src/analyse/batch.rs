//! Positions by the million: one a line, analysed by all threads, answered in order.

use std::io::{Read, Write};
use std::sync::mpsc;

use rayon::prelude::*;

use super::{Analysis, BadPosition, Request, coins};

/// Bytes read at a time: memory does not grow with the number of lines.
const BLOCK: usize = 1 << 20;
/// Lines a thread takes at a time.
const LINES: usize = 128;

/// One line's number, from 1 up, and what came of it.
pub struct Answer {
    /// Number of the line.
    pub line: u64,
    /// The analysis, or why the line is no position.
    pub found: Result<Analysis, BadPosition>,
}

/// What a batch held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines read, comments included.
    pub lines: u64,
    /// Lines answered with a position's value.
    pub positions: u64,
    /// Of these, P-positions.
    pub p_positions: u64,
    /// Of these, positions on which two formulas differ.
    pub differ: u64,
    /// Lines that are no position.
    pub bad: u64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.positions += other.positions;
        self.p_positions += other.p_positions;
        self.differ += other.differ;
        self.bad += other.bad;
    }
}

/// Why a batch stopped short.
#[derive(Debug)]
pub enum Stopped {
    /// Its input could not be read.
    Reading(std::io::Error),
    /// Its answers could not be written.
    Writing(std::io::Error),
}

/// Answers each line of `input` with what `write` makes of it, in order; bad lines are told to `bad` besides.
///
/// A line is a position as [`coins`] reads it, so an empty line is the empty position; `#` begins a comment, and a line
/// with nothing but a comment is no position and gets no answer. Whatever has come in is answered before more is waited for.
///
/// # Errors
/// [`Stopped`]; what was written before stands.
pub fn run(
    input: &mut dyn Read,
    out: &mut (dyn Write + Send),
    request: &Request,
    write: impl Fn(&mut String, &Answer) + Sync,
    bad: &mut dyn FnMut(u64, &BadPosition),
) -> Result<Tally, Stopped> {
    std::thread::scope(|scope| {
        // Answers are written while the next ones are worked out.
        let (answers, waiting) = mpsc::sync_channel::<Vec<Answered>>(1);
        let writer = scope.spawn(move || {
            for block in waiting {
                block.iter().try_for_each(|answered| out.write_all(answered.text.as_bytes()))?;
                out.flush()?;
            }
            Ok(())
        });
        let read = answer_all(input, request, &write, bad, |block| answers.send(block).is_ok());
        drop(answers);
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map_err(Stopped::Writing)?;
        read.map_err(Stopped::Reading)
    })
}

/// Reads to the end, or until `send` says that nobody takes answers any more.
fn answer_all(
    input: &mut dyn Read,
    request: &Request,
    write: &(impl Fn(&mut String, &Answer) + Sync),
    bad: &mut dyn FnMut(u64, &BadPosition),
    send: impl Fn(Vec<Answered>) -> bool,
) -> std::io::Result<Tally> {
    let mut tally = Tally::default();
    let mut held: Vec<u8> = Vec::new();
    loop {
        let before = held.len();
        held.resize(before + BLOCK, 0);
        let read = loop {
            match input.read(&mut held[before..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        held.truncate(before + read);
        // A byte order mark, which some editors put first.
        if tally.lines == 0 && held.starts_with(b"\xef\xbb\xbf") {
            held.drain(..3);
        }
        // Only what is new can end a line, so that one long line is not searched over and over.
        let fresh = before.min(held.len());
        let whole = match read {
            0 => held.len(),
            _ => held[fresh..].iter().rposition(|c| *c == b'\n').map_or(0, |end| fresh + end + 1),
        };
        let block = answer(&held[..whole], tally.lines, request, write);
        held.drain(..whole);
        for answered in &block {
            answered.bad.iter().for_each(|(line, why)| bad(*line, why));
            tally.add(&answered.tally);
        }
        if !send(block) || read == 0 {
            return Ok(tally);
        }
    }
}

#[derive(Default)]
struct Answered {
    text: String,
    bad: Vec<(u64, BadPosition)>,
    tally: Tally,
}

/// Whole lines, of which the first is number `before + 1`.
fn answer(
    lines: &[u8],
    before: u64,
    request: &Request,
    write: &(impl Fn(&mut String, &Answer) + Sync),
) -> Vec<Answered> {
    // The last line's end begins no further line.
    let lines: Vec<&[u8]> = lines.split_inclusive(|c| *c == b'\n').collect();
    let chunks = lines.par_chunks(LINES).enumerate();
    let answered = chunks.map(|(chunk, lines)| {
        let mut answered = Answered::default();
        for (line, text) in (before + (chunk * LINES) as u64 + 1..).zip(lines) {
            answered.tally.lines += 1;
            let end = text.iter().position(|c| *c == b'#');
            let position = text[..end.unwrap_or(text.len())].trim_ascii();
            if end.is_some() && position.is_empty() {
                continue;
            }
            let found = coins(position).and_then(|coins| Analysis::of(&coins, request));
            let answer = Answer { line, found };
            write(&mut answered.text, &answer);
            match answer.found {
                Ok(found) => {
                    answered.tally.positions += 1;
                    answered.tally.p_positions += u64::from(found.value == 0);
                    answered.tally.differ += u64::from(!found.formulas.agree());
                }
                Err(why) => {
                    answered.tally.bad += 1;
                    answered.bad.push((line, why));
                }
            }
        }
        answered
    });
    answered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes a few at a time, as a pipe may.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(self.0.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn values(text: &str, at_a_time: usize) -> (String, Vec<u64>, Tally) {
        let (mut out, mut bad) = (Vec::new(), Vec::new());
        let write = |out: &mut String, answer: &Answer| {
            *out += &match &answer.found {
                Ok(found) => format!("{}:{} ", answer.line, found.value),
                Err(_) => format!("{}:bad ", answer.line),
            }
        };
        let mut input = Slowly(text.as_bytes(), at_a_time);
        let tally = run(&mut input, &mut out, &Request::default(), write, &mut |line, _| bad.push(line)).unwrap();
        (String::from_utf8(out).unwrap(), bad, tally)
    }

    #[test]
    fn however_the_bytes_come_in() {
        let text = "\u{feff}# a comment\n1 2\r\n\n1,4,5,9,11 # the book's\n1 x\n{3}\n2 2";
        for at_a_time in 3..text.len() {
            let (out, bad, tally) = values(text, at_a_time);
            assert_eq!(out, "2:2 3:0 4:14 5:bad 6:3 7:bad ");
            assert_eq!(bad, [5, 7]);
            assert_eq!(tally, Tally { lines: 7, positions: 4, p_positions: 1, differ: 0, bad: 2 });
        }
        assert_eq!(values("", 1), (String::new(), vec![], Tally::default()));
        assert_eq!(values("\n", 1).0, "1:0 ");
    }

    #[test]
    fn order_is_kept_between_threads() {
        let text: String = (0..5000).map(|n| format!("{n}\n")).collect();
        let expected: String = (0..5000).map(|n| format!("{}:{n} ", n + 1)).collect();
        assert_eq!(values(&text, usize::MAX).0, expected);
    }
}
