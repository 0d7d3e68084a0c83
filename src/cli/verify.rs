//! `welter verify TABLE.npy --game GAME`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::output::{self, grouped};
use super::progress::Progress;
use super::{Common, Format, On};
use crate::error::{Error, Result};
use crate::record::run::RecordDir;
use crate::verify::{self, Game, Outcome, Request};

/// Arguments of `welter verify`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter verify w22.npy --game brute                                 after welter brute 22 --table w22.npy
  welter verify s.npy --game sat --p 3 --m 5 --k 3 --window 20       after welter sat 3 5 3 20 --table s.npy
  welter verify n.npy --game pass                                    after welter pass 3 40 --table n.npy

At every position, no option has its value and each smaller value is attained by some option: by induction that proves
the table right, from the rules of the game alone.

Exit codes: 0 the table is right, 1 it is wrong and the wrong cell is named, 2 usage or environment.")]
pub struct Verify {
    /// A table as --table writes it
    #[arg(value_name = "TABLE.npy")]
    table: PathBuf,
    /// Whose table it is
    #[arg(long, value_enum, value_name = "GAME")]
    game: GameName,
    /// P of the saturation, 2 or more
    #[arg(long, value_name = "P", value_parser = number::<u64>, allow_negative_numbers = true, required_if_eq("game", "sat"))]
    p: Option<u64>,
    /// Number of coins of the saturation
    #[arg(long, value_name = "M", value_parser = number::<u32>, allow_negative_numbers = true, required_if_eq("game", "sat"))]
    m: Option<u32>,
    /// K of the saturation: at most K - 1 coins move at once
    #[arg(long, value_name = "K", value_parser = number::<u32>, allow_negative_numbers = true, required_if_eq("game", "sat"))]
    k: Option<u32>,
    /// Number of squares of the saturation, 0 to 64
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true, required_if_eq("game", "sat"))]
    window: Option<u32>,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    common: Common,
    /// Write a record of the run (one JSON document) into this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GameName {
    /// Welter's game: one byte a mask, the window told from the size
    Brute,
    /// A p-saturation: needs --p, --m, --k and --window
    Sat,
    /// Nim with passes: piles and passes told from the shape
    Pass,
}

fn number<T: std::str::FromStr>(text: &str) -> std::result::Result<T, String> {
    text.parse().map_err(|_| "a whole number is needed, such as 3".to_string())
}

impl Verify {
    /// Runs the command; whether the table is right.
    pub fn run(self) -> Result<bool> {
        let request = Request { game: self.game()?, table: self.table.clone() };
        let Some((backend, why)) = self.on.open()? else {
            return Err(Error::Usage(
                "--backend oracle: a table is looked at by the CPU or a GPU, against the rules alone; use --backend cpu".into(),
            ));
        };
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let prepared = verify::prepare(&request, &*backend)?;
        self.common.remark(format_args!("backend: {why}"));
        let mut progress = Progress::new(prepared.positions(), "positions", self.common.quiet);
        let outcome = prepared.run(&mut |done| progress.set(done));
        progress.finish();
        let outcome = outcome?;
        if let Some(record) = record {
            let path = record.write(&format!("verify-{}", request.game.name()), outcome.to_json())?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        match self.common.format {
            Format::Json => output::print_json(&outcome.to_json())?,
            Format::Text => output::print(&summary(&outcome))?,
        }
        Ok(outcome.agreed())
    }

    fn game(&self) -> Result<Game> {
        let given = [self.p.is_some(), self.m.is_some(), self.k.is_some(), self.window.is_some()];
        match (self.game, self.p, self.m, self.k, self.window) {
            (GameName::Sat, Some(p), Some(m), Some(k), Some(window)) => Ok(Game::Sat { p, m, k, window }),
            (GameName::Brute, ..) if given == [false; 4] => Ok(Game::Brute),
            (GameName::Pass, ..) if given == [false; 4] => Ok(Game::Pass),
            _ => Err(Error::Usage(
                "--p, --m, --k and --window belong to --game sat; other tables tell their size themselves: leave them out"
                    .into(),
            )),
        }
    }
}

fn summary(outcome: &Outcome) -> String {
    let mut text = format!(
        "{}: {}: {} positions looked at on the {}\n\n",
        outcome.request.table.display(),
        outcome.described,
        grouped(outcome.positions),
        output::machine(&outcome.backend),
    );
    match &outcome.first {
        None => {
            text += &format!(
                "verified    {} positions: no option has the value, each smaller value is attained\n",
                grouped(outcome.verified)
            );
            text += "so by induction every value is right\n";
        }
        Some(first) => {
            let fault = &first.fault;
            text +=
                &format!("VIOLATIONS  {} of {} positions\n", grouped(outcome.violations), grouped(outcome.positions));
            text += &format!("first       {}: the table says {}", first.position, fault.value);
            if let Some(same) = &first.same {
                text += &format!(", which its option {same} has too");
            }
            if fault.mex < fault.value {
                text += &format!(", and no option has the value {}", fault.mex);
            }
            text += &format!(
                "\nwrong cell  {}: every position before it is right, so all its options are, and its value is {}\n",
                first.position, fault.mex
            );
        }
    }
    text += "\n";
    match &outcome.digests[..] {
        [digest] if outcome.request.game != Game::Pass => text += &format!("digest  {digest}\n"),
        digests => {
            for (passes, digest) in digests.iter().enumerate() {
                text += &format!("digest  {digest}, {passes} pass{} left\n", if passes == 1 { "" } else { "es" });
            }
        }
    }
    text += &format!(
        "time    {}, {}\n",
        output::seconds(outcome.seconds),
        output::rate(outcome.positions, outcome.seconds, "positions"),
    );
    text
}
