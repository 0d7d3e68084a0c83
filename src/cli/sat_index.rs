//! `welter sat-index P M N`.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::output::{self, grouped};
use super::progress::Progress;
use super::sat::{difference, on, parse_n, plan_json, plan_text};
use super::{Common, Format, On};
use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::index::binomial;
use crate::record::run::RecordDir;
use crate::sat::index::{self, Game, Row, finished, to_json};
use crate::sat::{self, Request};
use crate::theory::saturation::lower_bound;

/// Arguments of `welter sat-index`.
#[derive(Args)]
#[command(after_help = "Examples:
  welter sat-index 3 4 20               the least K whose table of 4 coins agrees with b_3 in window 20
  welter sat-index 3..5 3..5 16         nine games in one table
  welter sat-index 3..9 3..6 18 --record sweep   keeps each finished game; a rerun does the others

Exit codes: 0 done, 2 usage or environment.")]
pub struct SatIndex {
    /// Any integer above 1, or a range of them such as 3..5, both ends included
    #[arg(value_parser = |text: &str| range(text, "P"), allow_negative_numbers = true)]
    p: (u64, u64),
    /// The number of coins, from 1 up, or a range
    #[arg(value_parser = |text: &str| range(text, "M"), allow_negative_numbers = true)]
    m: (u64, u64),
    /// The window: the number of squares, up to 64
    #[arg(value_parser = parse_n, allow_negative_numbers = true)]
    n: u32,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    common: Common,
    /// Write a record of each game into this folder when it is done; games that have one there are not done again
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Print the largest plan of each game; solve nothing
    #[arg(long)]
    dry_run: bool,
}

/// The most games of one sweep.
const MOST_GAMES: u64 = 10_000;

fn range(text: &str, name: &str) -> std::result::Result<(u64, u64), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let parsed = first.parse().ok().zip(last.strip_prefix('=').unwrap_or(last).parse().ok());
    match parsed {
        Some((first, last)) if first <= last => Ok((first, last)),
        Some((first, last)) => Err(format!("the range is empty; write {last}..{first}")),
        None => Err(format!("{name} is a whole number or a range such as 3..5")),
    }
}

impl SatIndex {
    /// Runs the command.
    pub fn run(self) -> Result<bool> {
        let games = self.games()?;
        let Some((backend, why)) = self.on.open()? else {
            return Err(Error::Usage("--backend oracle: use `welter sat` for the oracle, or another --backend".into()));
        };
        let mut plans = Vec::new();
        for game in &games {
            // No k of a game needs more than its last, m + 1.
            let request = Request { cell: game.cell(game.m + 1), table: None, words: 1, bug: None };
            plans.push((request.cell, sat::plan(&request, &*backend)?));
        }
        if self.dry_run {
            match self.common.format {
                Format::Json => {
                    let plans: Vec<Value> = plans.iter().map(|(cell, plan)| plan_json(*cell, plan.as_ref())).collect();
                    output::print_json(
                        &json!({"command": "sat-index", "plans": plans, "version": env!("CARGO_PKG_VERSION")}),
                    )?;
                }
                Format::Text => {
                    let plans: Vec<String> = plans.iter().map(|(cell, plan)| plan_text(*cell, plan.as_ref())).collect();
                    output::print(&plans.join("\n"))?;
                }
            }
            return Ok(true);
        }
        if let Some(folder) = &self.record {
            RecordDir::create(folder)?;
        }
        self.common.remark(format_args!("backend: {why}"));
        let mut rows = Vec::new();
        for game in games {
            rows.push(self.row(game, &*backend)?);
        }
        let document = to_json(&rows, serde_json::to_value(backend.info()).expect("plain data"));
        match self.common.format {
            Format::Json => output::print_json(&document)?,
            Format::Text => output::print(&text(&rows, &on(&backend.info())))?,
        }
        Ok(true)
    }

    /// Every game of the sweep, found possible.
    fn games(&self) -> Result<Vec<Game>> {
        let ((p0, p1), (m0, m1)) = (self.p, self.m);
        let many = u128::from(p1 - p0 + 1) * u128::from(m1 - m0 + 1);
        // The last game of the ranges first, so that a range out of bounds is refused before it is listed.
        for (p, m) in [(p0, m0), (p1, m1)] {
            Game { p, m: u32::try_from(m).unwrap_or(u32::MAX), window: self.n }.validate()?;
        }
        if many > MOST_GAMES.into() {
            return Err(Error::Usage(format!("P and M make {many} games, above {MOST_GAMES}; use shorter ranges")));
        }
        let window = self.n;
        Ok((p0..=p1).flat_map(|p| (m0..=m1).map(move |m| Game { p, m: m as u32, window })).collect())
    }

    fn row(&self, game: Game, backend: &dyn Backend) -> Result<Row> {
        if let Some((row, name)) = self.record.as_deref().and_then(|folder| finished(game, folder)) {
            let Game { p, m, window } = game;
            self.common.remark(format_args!("P = {p}, M = {m}, N = {window} is done already, see {name}: skipped"));
            return Ok(row);
        }
        let record = self.record.as_deref().map(RecordDir::create).transpose()?;
        let positions = binomial(game.window, game.m) as u64;
        let mut progress = Progress::new(positions * u64::from(game.m), "positions", self.common.quiet);
        let row = index::run(game, backend, &mut |k, done| progress.set(u64::from(k - 2) * positions + done));
        progress.finish();
        let row = row?;
        if let Some(record) = record {
            let backend = serde_json::to_value(backend.info()).expect("plain data");
            let path = record.write(&game.record_name(), to_json(std::slice::from_ref(&row), backend))?;
            self.common.remark(format_args!("record: {}", path.display()));
        }
        Ok(row)
    }
}

fn text(rows: &[Row], on: &str) -> String {
    let cells = rows.iter().map(|row| {
        let Game { p, m, .. } = row.game;
        let (below, first, witness) = match row.below() {
            None => ("-".into(), "none".into(), "-"),
            Some((k, d)) => (k.to_string(), difference(&d), if row.is_witness(k, &d) { "yes" } else { "no" }),
        };
        vec![
            p.to_string(),
            m.to_string(),
            lower_bound(p, m).to_string(),
            row.index.map_or("none".into(), |k| k.to_string()),
            grouped(row.positions),
            below,
            first,
            witness.into(),
            output::seconds(row.seconds),
        ]
    });
    let header = ["p", "m", "min(p,m+1)", "index", "positions", "K below", "its first difference", "witness", "time"];
    format!(
        "The least K for which W^m_{{p,K}} agrees with b_p in window {}, on the {on}\n\n{}",
        rows[0].game.window,
        output::table(&header, &[6, 7], cells)
    )
}
