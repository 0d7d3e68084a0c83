//! `welter position X...`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::position_text as text;
use super::{Common, Format, output};
use crate::analyse::batch::{self, Answer, Stopped, Tally};
use crate::analyse::explain::Explanation;
use crate::analyse::{self, Analysis, BadPosition, Limits, Request};
use crate::error::{Error, Result};
use crate::record::run::RecordDir;
use crate::theory::mating::LAST_SQUARE;

/// Arguments of `welter position`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter position 1 4 5 9 11               value, diagram, winning moves
  welter position 1 4 5 9 11 --explain     every step of it
  welter position 1 4 5 9 11 --to 5        the moves to value 5 as well
  welter position \"\"                       the empty position; {} on a line of a batch does too
  welter position 3 7 -p 3                 b_3, whether the diagram is full for 3, and msg_3
  welter position --file positions.txt --format json
  generate | welter position -             standard input

Batches (--file, -): one position a line, blanks or commas between the coins, in braces or without. An empty line is the
empty position. # begins a comment; a line with only a comment gets no answer. Each line is answered by one line, with
--format json by one JSON document (JSON Lines). A bad line is answered by its error, the batch goes on, and the exit
code is 2 at the end.

Limits: the value and all moves are computed for any number of coins up to 2^31. Beyond these sizes the other parts are
left out (null in JSON); figures in brackets are for batches.
  Welter's formula over pairs: 4,096 coins (256). Hook formula: 1,048,576 cells (1,024); degree: 4,096 cells (256).
  Digit form, counts of hooks, partition, full, b_p: 131,072 coins; the counts are listed in batches up to 1,024 cells.
  msg_p: sub-diagrams of 10,000,000 rows in all (10,000). Explanations: pairs up to 32 coins, diagrams up to 40 by 40.

Exit codes: 0 all formulas agree, 1 two of them differ, 2 usage or environment, or a bad line in a batch.")]
pub struct Position {
    /// The coins' squares, 0 to 2^63 - 1, in any order; - reads positions from standard input
    #[arg(value_name = "X", allow_negative_numbers = true)]
    coins: Vec<String>,
    /// Read positions from a file, one a line; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "coins")]
    file: Option<PathBuf>,
    /// List the moves to positions of value V too: an odd number below the position's value, an even number above
    #[arg(long, value_name = "V", value_parser = wished, allow_negative_numbers = true)]
    to: Option<u64>,
    /// Tell b_p, fullness and msg_p for this base, prime or not
    #[arg(short, value_name = "P", value_parser = base, allow_negative_numbers = true)]
    p: Option<u64>,
    /// Write out the computation step by step, and draw the hook that each move removes
    #[arg(long)]
    explain: bool,
    /// List all winning moves, and all moves of --to, however many they are; json always does
    #[arg(long)]
    winning_moves: bool,
    #[command(flatten)]
    common: Common,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

fn wished(text: &str) -> std::result::Result<u64, String> {
    let value = text.parse().ok().filter(|value| *value <= LAST_SQUARE);
    value.ok_or(format!("V is a value, a whole number from 0 to {LAST_SQUARE}, such as 0"))
}

fn base(text: &str) -> std::result::Result<u64, String> {
    let base = text.parse().ok().filter(|base| (2..=LAST_SQUARE).contains(base));
    base.ok_or(format!("P is a base, a whole number from 2 to {LAST_SQUARE}, such as 3"))
}

impl Position {
    /// Runs the command; whether all formulas agreed.
    pub fn run(self) -> Result<bool> {
        let stdin = |name: &str| name == "-";
        match (&self.file, self.coins.as_slice()) {
            (Some(path), _) if path.to_str().is_some_and(stdin) => self.batch("-", &mut std::io::stdin().lock()),
            (Some(path), _) => {
                let name = path.display().to_string();
                let mut file = File::open(path).map_err(|error| unreadable(&name, &error))?;
                self.batch(&name, &mut file)
            }
            (None, []) => Err(Error::Usage(
                "a position is needed: its coins, such as `welter position 1 4 5 9 11`, or --file FILE, or - for standard \
                 input; the empty position is `welter position \"\"`"
                    .into(),
            )),
            (None, [name]) if stdin(name) => self.batch("-", &mut std::io::stdin().lock()),
            (None, words) => self.one(&words.join(" ")),
        }
    }

    fn request(&self, limits: Limits) -> Request {
        Request { to: self.to, p: self.p, limits }
    }

    fn one(&self, words: &str) -> Result<bool> {
        let refuse = |why: BadPosition| Error::Usage(why.to_string());
        let coins = analyse::coins(words.as_bytes()).map_err(refuse)?;
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let found = Analysis::of(&coins, &self.request(Limits::ONE)).map_err(refuse)?;
        let explanation = self.explain.then(|| Explanation::of(&found));
        let document = || {
            let mut document = found.to_json();
            if let Some(explanation) = &explanation {
                document["explanation"] = explanation.to_json();
            }
            document["version"] = env!("CARGO_PKG_VERSION").into();
            document
        };
        if let Some(record) = record {
            let path = record.write("position", document())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&document())?,
            Format::Text => {
                let mut text = text::summary(&found, self.winning_moves);
                if let Some(explanation) = &explanation {
                    text += &text::explanation(&found, explanation);
                }
                output::print(&text)?;
            }
        }
        Ok(found.formulas.agree())
    }

    fn batch(&self, name: &str, input: &mut dyn Read) -> Result<bool> {
        if self.explain {
            return Err(Error::Usage(
                "--explain explains one position; give its coins as arguments, not --file or -".into(),
            ));
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let json = self.common.format == Format::Json;
        let write = |out: &mut String, answer: &Answer| {
            if json {
                *out += &match &answer.found {
                    Ok(found) => found.to_json_line(answer.line),
                    Err(why) => why.to_json_line(answer.line),
                };
                out.push('\n');
            } else {
                text::line(out, answer, self.winning_moves);
            }
        };
        // Lines of text show no degree.
        let limits = Limits { degree_cells: if json { Limits::BATCH.degree_cells } else { 0 }, ..Limits::BATCH };
        let mut named = 0;
        let mut bad = |line: u64, why: &BadPosition| {
            named += 1;
            if named <= NAMED {
                name_line(format_args!("line {line}: {why}"));
            } else if named == NAMED + 1 {
                name_line("more bad lines follow; the output names each in its place");
            }
        };
        let tally = batch::run(input, &mut std::io::stdout(), &self.request(limits), write, &mut bad);
        let tally = tally.map_err(|stopped| match stopped {
            Stopped::Reading(error) => unreadable(name, &error),
            Stopped::Writing(source) => output::cut_short(source),
        })?;
        if let Some(record) = record {
            let path = record.write("positions", summary(name, &tally))?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        if tally.bad > 0 {
            return Err(Error::Usage(format!(
                "{} of {} lines {} no position; mend and run them again",
                tally.bad,
                tally.lines,
                if tally.bad == 1 { "is" } else { "are" }
            )));
        }
        Ok(tally.differ == 0)
    }
}

/// Bad lines named on standard error one by one; a batch of a million must not flood it.
const NAMED: u64 = 20;

/// A bad line is an error: `--quiet` does not silence it.
fn name_line(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "welter: error: {text}");
}

fn summary(name: &str, tally: &Tally) -> serde_json::Value {
    json!({
        "command": "position",
        "file": name,
        "lines": tally.lines,
        "positions": tally.positions,
        "p_positions": tally.p_positions,
        "formulas_differ": tally.differ,
        "bad_lines": tally.bad,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn unreadable(name: &str, error: &std::io::Error) -> Error {
    let what = if name == "-" { "standard input".into() } else { format!("--file {name}") };
    Error::Usage(format!("{what} cannot be read: {error}; name a file of positions, one a line"))
}
