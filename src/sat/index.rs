//! The `p`-saturation index in a window: the least `k` for which the table of `W^m_{p,k}` is that of `b_p`.
//!
//! Found from `k = 2` upwards, so that every smaller `k` is seen to differ; Irie's theorem ends the search at `m + 1`. A
//! window that shows no difference is evidence, a difference is proof.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use super::{Outcome, Request, first_json};
use crate::Position;
use crate::backend::Backend;
use crate::check::Difference;
use crate::error::{Error, Result};
use crate::plan::options::Cell;
use crate::theory::saturation::{lower_bound, witness};

/// One `(p, m)` of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Any integer above 1.
    pub p: u64,
    /// Number of coins, 1 to `window`.
    pub m: u32,
    /// Number of squares.
    pub window: u32,
}

/// What the table of one `k` said.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// One more than the number of coins that may move at once.
    pub k: u32,
    /// Positions whose value is not `b_p`.
    pub differ: u64,
    /// The first of them.
    pub first: Option<Difference>,
    /// The digest of the table.
    pub digest: String,
}

/// The index of one game in its window.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The game.
    pub game: Game,
    /// Number of positions.
    pub positions: u64,
    /// Each `k` from 2 to the index.
    pub tried: Vec<Tried>,
    /// The least `k` that agrees; `None` if not even `m + 1` did, against the theorem.
    pub index: Option<u32>,
    /// Seconds in all.
    pub seconds: f64,
}

impl Game {
    /// Refuses what has no index.
    ///
    /// # Errors
    /// [`Error::Usage`]; as [`Cell::validate`].
    pub fn validate(&self) -> Result<()> {
        let Self { p, m, window } = *self;
        Cell { p, m, k: 2, window }.validate()?;
        if m == 0 {
            return Err(Error::Usage(
                "M = 0 has one position and no moves, so every K agrees; use M = 1 or more".into(),
            ));
        }
        if m > window {
            return Err(Error::Usage(format!(
                "M = {m} coins have no position on N = {window} squares; use M = N or less"
            )));
        }
        Ok(())
    }

    /// The cell of its table for a `k`.
    pub fn cell(&self, k: u32) -> Cell {
        Cell { p: self.p, m: self.m, k, window: self.window }
    }

    /// What its records are called, before the time.
    pub fn record_name(&self) -> String {
        format!("sat-index-{}-{}-{}", self.p, self.m, self.window)
    }
}

/// Finds the index of a game in its window. `progress` is told `k` and how many of its positions are done.
///
/// # Errors
/// As [`Game::validate`] and [`super::run`].
pub fn run(game: Game, backend: &dyn Backend, progress: &mut dyn FnMut(u32, u64)) -> Result<Row> {
    game.validate()?;
    let began = Instant::now();
    let mut row = Row { game, positions: 0, tried: Vec::new(), index: None, seconds: 0.0 };
    for k in 2..=game.m + 1 {
        let request = Request { cell: game.cell(k), table: None, words: 1, bug: None };
        let Outcome { positions, check, digest, .. } = super::run(&request, backend, &mut |done| progress(k, done))?;
        row.positions = positions;
        row.tried.push(Tried { k, differ: check.differ, first: check.first, digest: digest.to_string() });
        if check.differ == 0 {
            row.index = Some(k);
            break;
        }
    }
    row.seconds = began.elapsed().as_secs_f64();
    Ok(row)
}

impl Row {
    /// The first difference of the largest `k` that differs.
    pub fn below(&self) -> Option<(u32, Difference)> {
        self.tried.iter().rev().find_map(|tried| Some((tried.k, tried.first?)))
    }

    /// Whether a difference is the one by which Irie proves the lower bound: these coins, one `k` below the bound.
    pub fn is_witness(&self, k: u32, difference: &Difference) -> bool {
        let Game { p, m, .. } = self.game;
        k + 1 == lower_bound(p, m) && difference.position.coins() == witness(p, m) && difference.value == 0
    }

    /// The row of the JSON document.
    pub fn to_json(&self) -> Value {
        let Game { p, m, window } = self.game;
        let below = self.below().map_or(Value::Null, |(k, first)| {
            let mut told = first_json(Some(first));
            told["k"] = k.into();
            told["witness"] = self.is_witness(k, &first).into();
            told
        });
        let tried: Vec<Value> = (self.tried.iter())
            .map(|t| json!({"k": t.k, "differ": t.differ, "first": first_json(t.first), "digest": t.digest}))
            .collect();
        json!({
            "p": crate::record::integer(p),
            "m": m,
            "window": window,
            "lower_bound": lower_bound(p, m),
            "index": self.index,
            "first_difference_below": below,
            "positions": crate::record::integer(self.positions),
            "tried": tried,
            "seconds": self.seconds,
        })
    }

    /// The row of a document; `None` if it is not one of this game.
    pub fn from_json(game: Game, row: &Value) -> Option<Self> {
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let same = number(&row["p"])? == game.p
            && number(&row["m"])? == u64::from(game.m)
            && number(&row["window"])? == u64::from(game.window);
        let difference = |first: &Value| {
            let coins: Vec<u64> = first["coins"].as_array()?.iter().map(number).collect::<Option<_>>()?;
            let position = Position::from_coins(&coins)?;
            Some(Difference { position, value: number(&first["value"])?, formula: number(&first["b_p"])? })
        };
        let tried = |t: &Value| {
            let (k, differ) = (u32::try_from(number(&t["k"])?).ok()?, number(&t["differ"])?);
            let first = if t["first"].is_null() { None } else { Some(difference(&t["first"])?) };
            (first.is_some() == (differ > 0)).then_some(())?;
            Some(Tried { k, differ, first, digest: t["digest"].as_str()?.into() })
        };
        let row = Self {
            game,
            positions: number(&row["positions"])?,
            tried: row["tried"].as_array()?.iter().map(tried).collect::<Option<_>>()?,
            index: number(&row["index"]).and_then(|k| u32::try_from(k).ok()),
            seconds: row["seconds"].as_f64()?,
        };
        let last = row.tried.last()?;
        (same && row.index == (last.differ == 0).then_some(last.k)).then_some(row)
    }
}

/// The row that an earlier sweep with this version has left in a folder of records, and its file's name.
pub fn finished(game: Game, folder: &Path) -> Option<(Row, String)> {
    let prefix = game.record_name() + "-";
    let mut names: Vec<String> = (std::fs::read_dir(folder).ok()?)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with(&prefix) && name.ends_with(".json"))
        .collect();
    names.sort();
    names.into_iter().rev().find_map(|name| {
        let document: Value = serde_json::from_slice(&std::fs::read(folder.join(&name)).ok()?).ok()?;
        let ours = document["command"] == "sat-index" && document["version"] == env!("CARGO_PKG_VERSION");
        let row = Row::from_json(game, ours.then(|| document["rows"].get(0))??)?;
        Some((row, name))
    })
}

/// The document of a sweep.
pub fn to_json(rows: &[Row], backend: Value) -> Value {
    json!({
        "command": "sat-index",
        "rows": rows.iter().map(Row::to_json).collect::<Vec<_>>(),
        "backend": backend,
        "version": env!("CARGO_PKG_VERSION"),
    })
}
