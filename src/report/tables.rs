//! The tables, each from the records of one command.
//!
//! Records of the same request must say the same: one row is made of them all, and a contradiction is an error.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::records::{Integer, Machine, Record};
use crate::bench::spread;
use crate::error::{Error, Result};
use crate::words::{grouped, markdown, rate, seconds};

/// The names of the tables.
pub const NAMES: [&str; 7] = ["windows", "saturations", "sat-index", "full", "msg", "pass", "bench"];

/// A table made from records.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its marker's name.
    pub name: &'static str,
    /// Rows.
    pub rows: usize,
    /// Lines of Markdown.
    pub text: String,
    /// How to come by a record for it.
    pub remedy: &'static str,
}

/// All tables, empty ones included.
///
/// # Errors
/// [`Error::Usage`] for a record that lacks a field, and for two that contradict each other.
pub fn make(records: &[Record]) -> Result<Vec<Made>> {
    let game = |name, header: &str, rows: Vec<Cells>, remedy| {
        let text = if rows.is_empty() { String::new() } else { markdown(header, &rows) };
        Made { name, rows: rows.len(), text, remedy }
    };
    Ok(vec![
        game(
            "windows",
            "window | positions | P-positions | differences | digest | solved on the",
            rows::<Window>(records)?,
            "make one with `welter brute 20 --record runs`",
        ),
        game(
            "saturations",
            "p | m | k | window | positions | differ | first difference | digest | solved on the",
            rows::<Saturation>(records)?,
            "make one with `welter sat 3 4 3 20 --record runs`",
        ),
        game(
            "sat-index",
            "p | m | window | min(p, m+1) | index | positions | K below, its first difference",
            rows::<SatIndex>(records)?,
            "make one with `welter sat-index 3 4 20 --record runs`",
        ),
        game(
            "full",
            "p | n up to | partitions | full diagrams | diagrams where digits and degree differ | terms whose counts differ | solved on the",
            rows::<Full>(records)?,
            "make one with `welter full 72 --record runs`",
        ),
        game(
            "msg",
            "p | cells up to | diagrams | full diagrams | exceptions to Theorem 1 | sum of msg | solved on the",
            rows::<Msg>(records)?,
            "make one with `welter msg 3 40 --record runs`",
        ),
        game(
            "pass",
            "piles | size | passes left | positions | P-positions | differences | digest | solved on the",
            rows::<Pass>(records)?,
            "make one with `welter pass 3 63 --record runs`",
        ),
        bench(records)?,
    ])
}

/// The cells of a row.
type Cells = Vec<String>;

/// A command's record, made into rows.
trait Rows: DeserializeOwned {
    /// The command.
    const COMMAND: &'static str;

    /// Whether a document of the command is one of these.
    fn concerns(_document: &Value) -> bool {
        true
    }

    /// Its rows: what was asked, in the order of the table, and the cells.
    fn rows(&self) -> Vec<(Vec<u128>, Cells)>;

    /// What computed it.
    fn machine(&self) -> &Machine;

    /// Whether the last column says what computed.
    const TELLS_MACHINE: bool = true;
}

struct Row {
    cells: Cells,
    path: String,
    machines: Vec<String>,
}

fn rows<T: Rows>(records: &[Record]) -> Result<Vec<Cells>> {
    let mut all: BTreeMap<Vec<u128>, Row> = BTreeMap::new();
    for record in records.iter().filter(|record| record.command() == T::COMMAND && T::concerns(&record.document)) {
        let told: T = record.parse()?;
        for (key, cells) in told.rows() {
            let new = || Row { cells: cells.clone(), path: record.path.clone(), machines: Vec::new() };
            let row = all.entry(key).or_insert_with(new);
            if row.cells != cells {
                return Err(Error::Usage(format!(
                    "{} and {} contradict each other: {} against {}; find out which is wrong and take it away",
                    row.path,
                    record.path,
                    row.cells.join(" | "),
                    cells.join(" | "),
                )));
            }
            row.machines.push(told.machine().name());
        }
    }
    let line = |mut row: Row| {
        row.machines.sort();
        row.machines.dedup();
        if T::TELLS_MACHINE {
            row.cells.push(row.machines.join(", "));
        }
        row.cells
    };
    Ok(all.into_values().map(line).collect())
}

fn big(n: u128) -> String {
    u64::try_from(n).map_or_else(|_| n.to_string(), grouped)
}

#[derive(Deserialize)]
struct Window {
    window: u32,
    positions: Integer,
    p_positions: Vec<u64>,
    checks: BTreeMap<String, Compared>,
    mirror: Compared,
    digest: String,
    backend: Machine,
}

#[derive(Deserialize)]
struct Compared {
    differ: Integer,
}

impl Rows for Window {
    const COMMAND: &'static str = "brute";

    fn rows(&self) -> Vec<(Vec<u128>, Cells)> {
        let differ: u128 = self.checks.values().chain([&self.mirror]).map(|check| check.differ.0).sum();
        let cells = [
            self.window.to_string(),
            big(self.positions.0),
            grouped(self.p_positions.iter().sum()),
            big(differ),
            format!("`{}`", self.digest),
        ];
        vec![(vec![self.window.into()], cells.into())]
    }

    fn machine(&self) -> &Machine {
        &self.backend
    }
}

#[derive(Deserialize)]
struct SatDifference {
    coins: Vec<Integer>,
    value: Integer,
    b_p: Integer,
}

impl SatDifference {
    fn text(&self) -> String {
        let coins: Vec<String> = self.coins.iter().map(|coin| coin.0.to_string()).collect();
        format!("{{{}}}: value {}, b_p {}", coins.join(","), self.value.0, self.b_p.0)
    }
}

#[derive(Deserialize)]
struct Saturation {
    p: Integer,
    m: u32,
    k: u32,
    window: u32,
    positions: Integer,
    differ: Integer,
    first: Option<SatDifference>,
    digest: String,
    backend: Machine,
}

impl Rows for Saturation {
    const COMMAND: &'static str = "sat";

    // A certificate is a check without a table; its document has no digest.
    fn concerns(document: &Value) -> bool {
        document["certify"].is_null()
    }

    fn rows(&self) -> Vec<(Vec<u128>, Cells)> {
        let cells = [
            self.p.0.to_string(),
            self.m.to_string(),
            self.k.to_string(),
            self.window.to_string(),
            big(self.positions.0),
            big(self.differ.0),
            self.first.as_ref().map_or("none".into(), SatDifference::text),
            format!("`{}`", self.digest),
        ];
        vec![(vec![self.p.0, self.m.into(), self.k.into(), self.window.into()], cells.into())]
    }

    fn machine(&self) -> &Machine {
        &self.backend
    }
}

#[derive(Deserialize)]
struct SatIndex {
    rows: Vec<IndexRow>,
    backend: Machine,
}

#[derive(Deserialize)]
struct IndexRow {
    p: Integer,
    m: u32,
    window: u32,
    lower_bound: Integer,
    index: Option<u32>,
    positions: Integer,
    first_difference_below: Option<Below>,
}

#[derive(Deserialize)]
struct Below {
    k: u32,
    #[serde(flatten)]
    difference: SatDifference,
}

impl Rows for SatIndex {
    const COMMAND: &'static str = "sat-index";
    const TELLS_MACHINE: bool = false;

    fn rows(&self) -> Vec<(Vec<u128>, Cells)> {
        let row = |row: &IndexRow| {
            let below = row.first_difference_below.as_ref();
            let cells = [
                row.p.0.to_string(),
                row.m.to_string(),
                row.window.to_string(),
                row.lower_bound.0.to_string(),
                row.index.map_or("none".into(), |k| k.to_string()),
                big(row.positions.0),
                below.map_or("none".into(), |below| format!("{}, {}", below.k, below.difference.text())),
            ];
            (vec![row.p.0, row.m.into(), row.window.into()], cells.into())
        };
        self.rows.iter().map(row).collect()
    }

    fn machine(&self) -> &Machine {
        &self.backend
    }
}

#[derive(Deserialize)]
struct Full {
    p: u32,
    nmax: u32,
    partitions: Integer,
    terms: Vec<Term>,
    disagreements: Integer,
    unequal_terms: Vec<u32>,
    backend: Machine,
}

#[derive(Deserialize)]
struct Term {
    n: u32,
    full: u64,
    by_degree: Option<u64>,
}

impl Rows for Full {
    const COMMAND: &'static str = "full";

    fn rows(&self) -> Vec<(Vec<u128>, Cells)> {
        // The empty diagram is not counted among the partitions.
        let counted = self.terms.iter().filter(|term| term.n > 0);
        let compared = self.terms.iter().any(|term| term.by_degree.is_some());
        let cells = [
            self.p.to_string(),
            self.nmax.to_string(),
            big(self.partitions.0),
            grouped(counted.map(|term| term.full).sum()),
            if compared { big(self.disagreements.0) } else { "-".into() },
            if compared { self.unequal_terms.len().to_string() } else { "-".into() },
        ];
        vec![(vec![self.p.into(), self.nmax.into()], cells.into())]
    }

    fn machine(&self) -> &Machine {
        &self.backend
    }
}

#[derive(Deserialize)]
struct Msg {
    p: u32,
    nmax: u32,
    partitions: Integer,
    exceptions: Integer,
    rows: Vec<MsgRow>,
    backend: Machine,
}

#[derive(Deserialize)]
struct MsgRow {
    full: u64,
    sum_msg: u64,
}

impl Rows for Msg {
    const COMMAND: &'static str = "msg";

    fn rows(&self) -> Vec<(Vec<u128>, Cells)> {
        let cells = [
            self.p.to_string(),
            self.nmax.to_string(),
            big(self.partitions.0),
            grouped(self.rows.iter().map(|row| row.full).sum()),
            big(self.exceptions.0),
            grouped(self.rows.iter().map(|row| row.sum_msg).sum()),
        ];
        vec![(vec![self.p.into(), self.nmax.into()], cells.into())]
    }

    fn machine(&self) -> &Machine {
        &self.backend
    }
}

#[derive(Deserialize)]
struct Pass {
    piles: u64,
    size: u64,
    layers: Vec<Layer>,
    checks: BTreeMap<String, PassCheck>,
    backend: Machine,
}

#[derive(Deserialize)]
struct Layer {
    passes_left: u32,
    positions: Integer,
    p_positions: Integer,
    digest: String,
}

#[derive(Deserialize)]
struct PassCheck {
    #[serde(alias = "exceptions")]
    differ: Integer,
}

impl Rows for Pass {
    const COMMAND: &'static str = "pass";

    // The value of one position is no table.
    fn concerns(document: &Value) -> bool {
        document["layers"].is_array()
    }

    fn rows(&self) -> Vec<(Vec<u128>, Cells)> {
        let differ: u128 = self.checks.values().map(|check| check.differ.0).sum();
        let row = |layer: &Layer| {
            let cells = [
                self.piles.to_string(),
                self.size.to_string(),
                layer.passes_left.to_string(),
                big(layer.positions.0),
                big(layer.p_positions.0),
                big(differ),
                format!("`{}`", layer.digest),
            ];
            (vec![self.piles.into(), self.size.into(), layer.passes_left.into()], cells.into())
        };
        self.layers.iter().map(row).collect()
    }

    fn machine(&self) -> &Machine {
        &self.backend
    }
}

#[derive(Deserialize)]
struct Bench {
    window: Option<u32>,
    pass_size: Option<u64>,
    values: Option<u64>,
    sat: Option<SatCell>,
    rounds: u32,
    lanes: Vec<Lane>,
    run: Run,
}

#[derive(Deserialize)]
struct SatCell {
    p: Integer,
    m: u32,
    k: u32,
    window: u32,
}

#[derive(Deserialize)]
struct Lane {
    name: String,
    solve_seconds: Vec<f64>,
    #[serde(default)]
    check_seconds: Vec<f64>,
    #[serde(default)]
    options: Vec<f64>,
    #[serde(alias = "ratio_to_oracle")]
    ratio_to_plain_loop: [f64; 3],
}

#[derive(Deserialize)]
struct Run {
    started: String,
    processor: String,
    cores: u32,
}

impl Bench {
    /// What the race was over, a key to keep the newest of each, and the name of its first contender.
    fn over(&self) -> (String, &'static str, &'static str) {
        match (&self.sat, self.pass_size) {
            (Some(SatCell { p, m, k, window }), _) => {
                (format!("Saturation p = {}, m = {m}, k = {k}, window {window}", p.0), "options", "oracle")
            }
            (_, Some(size)) => (format!("Nim, two piles to {size}, no pass and one"), "values", "definition"),
            _ => (format!("Welter's game, window {}", self.window.unwrap_or(0)), "positions", "plain loop"),
        }
    }

    /// Things done in a round.
    fn things(&self, lane: &Lane, round: usize) -> f64 {
        let whole = self.values.unwrap_or_else(|| self.window.map_or(0, |window| 1 << window));
        lane.options.get(round).copied().unwrap_or(whole as f64)
    }

    fn text(&self) -> String {
        let (over, what, base) = self.over();
        let rounds = if self.rounds == 1 { "round" } else { "rounds" };
        let cores = if self.run.cores == 1 { "core" } else { "cores" };
        let mut text = format!(
            "{over}, medians of {} interleaved {rounds} on {} {cores} ({}):\n\n",
            self.rounds, self.run.cores, self.run.processor
        );
        let rows: Vec<Cells> = (self.lanes.iter())
            .map(|lane| {
                let middle = |figures: &[f64]| spread(figures.iter().copied())[1];
                let rates = (0..).zip(&lane.solve_seconds).map(|(i, s)| self.things(lane, i) / s.max(1e-9));
                let [least, ratio, greatest] = lane.ratio_to_plain_loop;
                let check = middle(&lane.check_seconds);
                let cells = [
                    lane.name.clone(),
                    seconds(middle(&lane.solve_seconds)),
                    if check > 0.0 { seconds(check) } else { "-".into() },
                    rate(spread(rates)[1] as u64, 1.0, what),
                    format!("{ratio:.1}"),
                    format!("{least:.1} - {greatest:.1}"),
                ];
                cells.into()
            })
            .collect();
        let header = format!("contender | table | checks | table alone | times the {base} | spread");
        text += &markdown(&header, &rows);
        text
    }
}

/// One table for each race, from its newest record.
fn bench(records: &[Record]) -> Result<Made> {
    let mut newest: BTreeMap<(u32, u64, String), Bench> = BTreeMap::new();
    for record in records.iter().filter(|record| record.command() == "bench") {
        let race: Bench = record.parse()?;
        let key = (race.window.unwrap_or(u32::MAX), race.pass_size.unwrap_or(0), race.over().0);
        if newest.get(&key).is_none_or(|held| held.run.started <= race.run.started) {
            newest.insert(key, race);
        }
    }
    let texts: Vec<String> = newest.values().map(Bench::text).collect();
    Ok(Made {
        name: "bench",
        rows: newest.values().map(|race| race.lanes.len()).sum(),
        text: texts.join("\n"),
        remedy: "make one with `welter bench --record runs`",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn made(documents: &[Value]) -> Result<Vec<Made>> {
        let record = |(i, document): (usize, &Value)| Record { path: format!("{i}.json"), document: document.clone() };
        make(&documents.iter().enumerate().map(record).collect::<Vec<_>>())
    }

    fn table(documents: &[Value], name: &str) -> String {
        made(documents).unwrap().into_iter().find(|table| table.name == name).unwrap().text
    }

    fn on(kind: &str, software: bool) -> Value {
        json!({"kind": kind, "device": "a | b", "software": software})
    }

    #[test]
    fn the_names_are_those_of_the_tables() {
        assert_eq!(made(&[]).unwrap().iter().map(|table| table.name).collect::<Vec<_>>(), NAMES);
    }

    #[test]
    fn saturations() {
        let sat = |k: u32, differ: u32, first: Value, kind: &str, software: bool| {
            json!({
                "command": "sat", "p": 4, "m": 3, "k": k, "window": 24, "positions": 2024, "differ": differ, "first": first,
                "digest": "00", "backend": on(kind, software),
            })
        };
        let first = json!({"coins": [4, 5, 6], "mask": 112, "value": 0, "b_p": 12});
        let rows = table(
            &[
                sat(4, 0, Value::Null, "gpu", false),
                sat(3, 132, first.clone(), "gpu", true),
                sat(3, 132, first, "cpu", false),
                json!({"command": "sat", "certify": true}),
            ],
            "saturations",
        );
        let lines: Vec<&str> = rows.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "|---:|---:|---:|---:|---:|---:|---|---|---|",
                "| 4 | 3 | 3 | 24 | 2,024 | 132 | {4,5,6}: value 0, b_p 12 | `00` | CPU, software adapter |",
                "| 4 | 3 | 4 | 24 | 2,024 | 0 | none | `00` | GPU (a \\| b) |",
            ]
        );
    }

    #[test]
    fn indexes_and_passes() {
        let row = json!({
            "p": 3, "m": 4, "window": 20, "lower_bound": 3, "index": 3, "positions": "9007199254740993",
            "first_difference_below": {"k": 2, "coins": [0, 1], "value": 1, "b_p": 3, "witness": true},
        });
        let index = json!({"command": "sat-index", "rows": [row], "backend": on("cpu", false)});
        assert!(
            table(&[index], "sat-index")
                .ends_with("| 3 | 4 | 20 | 3 | 3 | 9,007,199,254,740,993 | 2, {0,1}: value 1, b_p 3 |\n")
        );
        let layer = |s: u32| json!({"passes_left": s, "positions": 16, "p_positions": 4 + s, "digest": "00"});
        let pass = json!({
            "command": "pass", "piles": 2, "size": 3, "layers": [layer(0), layer(1)], "backend": on("cpu", false),
            "checks": {"xor": {"differ": 1}, "next_pile": {"exceptions": "2"}},
        });
        assert!(
            table(&[pass], "pass")
                .ends_with("| 2 | 3 | 0 | 16 | 4 | 3 | `00` | CPU |\n| 2 | 3 | 1 | 16 | 5 | 3 | `00` | CPU |\n")
        );
    }

    /// Of two races over the same thing the newer counts; races over other games have tables of their own.
    #[test]
    fn races() {
        let race = |started: &str, seconds: f64, over: Value| {
            let lane = json!({
                "name": "cpu", "solve_seconds": [seconds], "options": [100.0], "check_seconds": [0.0],
                "ratio_to_oracle": [1.0, 2.0, 3.0],
            });
            let run = json!({"started": started, "processor": "P", "cores": 1});
            let mut document = json!({"command": "bench", "rounds": 1, "lanes": [lane], "run": run});
            document.as_object_mut().unwrap().append(over.clone().as_object_mut().unwrap());
            document
        };
        let sat = json!({"sat": {"p": 3, "m": 4, "k": 3, "window": 20}});
        let text = table(
            &[
                race("2026-01-02T00:00:00Z", 2.0, json!({"window": 4})),
                race("2026-01-01T00:00:00Z", 4.0, json!({"window": 4})),
                race("2026-01-01T00:00:00Z", 8.0, sat),
                race("2026-01-01T00:00:00Z", 16.0, json!({"pass_size": 3, "values": 32})),
            ],
            "bench",
        );
        assert_eq!(text.matches("medians of 1 interleaved round on 1 core (P)").count(), 3, "{text}");
        assert!(text.contains("| cpu | 2.00 s | - | 50 positions a second | 2.0 | 1.0 - 3.0 |"), "{text}");
        assert!(text.contains("window 20") && text.contains("| cpu | 8.00 s | - | 12 options a second |"), "{text}");
        assert!(text.contains("two piles to 3") && text.contains("times the definition"), "{text}");
        assert!(!text.contains("4.00 s"), "{text}");
    }
}
