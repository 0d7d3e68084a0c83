//! The ladder oracle, CPU, every GPU adapter, on small windows of every game: for a new machine or driver.
//!
//! Each rung is compared with the oracle cell by cell, and larger parts, which the oracle would be slow for, with the rung
//! below it.

use std::time::Instant;

use serde_json::{Value, json};

use crate::Position;
use crate::backend::{Backend, cpu::Cpu};
use crate::error::Result;
use crate::index::colex::Colex;
use crate::index::low::Bug;
use crate::plan::Tuning;
use crate::plan::options::Cell;
use crate::{brute, full, msg, pass, sat};

/// What one rung says of a game, part by part: small parts from every rung, then large ones from all but the oracle (`None`).
/// The flag plants a bug.
type Solve = fn(Option<&dyn Backend>, bool, &mut Vec<Part>) -> Result<()>;

/// A game on the ladder.
pub struct Game {
    /// Its command.
    pub name: &'static str,
    solve: Solve,
}

/// Every game. One more takes a line here and a function below.
pub const GAMES: &[Game] = &[
    Game { name: "brute", solve: windows },
    Game { name: "full", solve: full_diagrams },
    Game { name: "msg", solve: sub_diagrams },
    Game { name: "sat", solve: saturations },
    Game { name: "pass", solve: nim_with_passes },
];

/// Cells that every rung must fill in the same way.
pub struct Part {
    /// What they are, such as `window 12`.
    pub what: String,
    /// The cells.
    pub cells: Vec<u64>,
    /// What a cell is of.
    pub name: Box<dyn Fn(usize) -> String>,
}

/// The first cell that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The part and the cell.
    pub cell: String,
    /// What the rung says.
    pub found: Option<u64>,
    /// What it was compared with says.
    pub expected: Option<u64>,
}

/// One rung of one game.
#[derive(Clone, Debug)]
pub struct Step {
    /// The game's command.
    pub game: &'static str,
    /// What computed.
    pub rung: String,
    /// The parts, in words.
    pub parts: String,
    /// Cells compared.
    pub compared: u64,
    /// The first difference.
    pub difference: Option<Difference>,
    /// Why the rung could not be climbed.
    pub error: Option<String>,
    /// Seconds.
    pub seconds: f64,
}

impl Step {
    /// Whether every cell was there and equal.
    pub fn ok(&self) -> bool {
        self.difference.is_none() && self.error.is_none()
    }

    /// The step as JSON.
    pub fn to_json(&self) -> Value {
        let told = |value: Option<u64>| value.map_or(Value::Null, crate::record::integer);
        json!({
            "game": self.game,
            "rung": self.rung,
            "parts": self.parts,
            "compared": self.compared,
            "ok": self.ok(),
            "first_difference": self.difference.as_ref().map(|difference| json!({
                "cell": difference.cell,
                "value": told(difference.found),
                "expected": told(difference.expected),
            })),
            "error": self.error,
            "seconds": self.seconds,
        })
    }
}

/// A rung: its name and the backend, or why it could not be opened.
pub type Rung = (String, Result<Box<dyn Backend>>);

/// The rungs above the oracle: one thread, all threads, every GPU adapter, software ones called what they are.
pub fn rungs() -> Vec<Rung> {
    let cpu = |threads| Cpu::new(threads).map(|cpu| Box::new(cpu) as Box<dyn Backend>);
    let mut rungs = vec![("CPU, 1 thread".to_string(), cpu(Some(1)))];
    // Also where there is one core: results must not depend on threads.
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 1024));
    rungs.push((format!("CPU, {threads} threads"), cpu(Some(threads))));
    #[cfg(feature = "gpu")]
    for adapter in crate::backend::gpu::adapters() {
        let kind = if adapter.software() { "software adapter" } else { "GPU" };
        let name = format!("{kind} {}", adapter.name());
        let opened = crate::backend::gpu::Gpu::open(adapter, &Default::default());
        rungs.push((name, opened.map(|gpu| Box::new(gpu) as Box<dyn Backend>)));
    }
    rungs
}

/// Climbs the ladder of every game. `bug` names a game whose rungs above the oracle get a bug planted; `each` is told of
/// every step as it is done.
pub fn run(rungs: &[Rung], bug: Option<&str>, each: &mut dyn FnMut(&Step)) -> Vec<Step> {
    let mut steps = Vec::new();
    for game in GAMES {
        let began = Instant::now();
        let mut known = Vec::new();
        let failed = (game.solve)(None, false, &mut known).err();
        let mut oracle = step(game.name, "oracle", began);
        oracle.tell(&known);
        oracle.error = failed.map(|error| error.to_string());
        each(&oracle);
        steps.push(oracle);
        for (name, backend) in rungs {
            let began = Instant::now();
            let mut parts = Vec::new();
            let failed = match backend {
                Ok(backend) => {
                    let solved = (game.solve)(Some(&**backend), bug == Some(game.name), &mut parts);
                    solved.err().map(|error| error.to_string())
                }
                Err(error) => Some(error.to_string()),
            };
            let mut step = step(game.name, name, began);
            step.tell(&parts);
            // An error in a later part must not hide a difference in an earlier one.
            step.difference =
                compare(&parts, if failed.is_none() { &known } else { &known[..parts.len().min(known.len())] });
            step.error = failed;
            // Parts that only the rungs above the oracle fill are compared from the second sound rung on.
            if step.ok() {
                known.extend(parts.into_iter().skip(known.len()));
            }
            step.seconds = began.elapsed().as_secs_f64();
            each(&step);
            steps.push(step);
        }
    }
    steps
}

fn step(game: &'static str, rung: &str, began: Instant) -> Step {
    let seconds = began.elapsed().as_secs_f64();
    Step { game, rung: rung.into(), parts: String::new(), compared: 0, difference: None, error: None, seconds }
}

impl Step {
    fn tell(&mut self, parts: &[Part]) {
        self.compared = parts.iter().map(|part| part.cells.len() as u64).sum();
        self.parts = parts.iter().map(|part| part.what.as_str()).collect::<Vec<_>>().join(", ");
    }
}

/// The first cell where a rung departs from what is known; a part that is missing, or short, differs too.
fn compare(parts: &[Part], known: &[Part]) -> Option<Difference> {
    for (i, part) in known.iter().enumerate() {
        let found = parts.get(i).map_or(&[][..], |part| &part.cells);
        for cell in 0..part.cells.len().max(found.len()) {
            let (found, expected) = (found.get(cell).copied(), part.cells.get(cell).copied());
            if found != expected {
                return Some(Difference { cell: format!("{}, {}", part.what, (part.name)(cell)), found, expected });
            }
        }
    }
    None
}

/// Windows of Welter's game, and bits of a set of seen values, that the oracle solves too: windows without low or high
/// squares, both widths.
const WINDOWS: [(u32, u32); 8] = [(0, 32), (1, 64), (2, 32), (5, 64), (9, 32), (12, 64), (14, 32), (16, 64)];
/// Windows for the rungs above it.
const LARGER_WINDOWS: [(u32, u32); 2] = [(18, 64), (20, 32)];

fn windows(backend: Option<&dyn Backend>, bug: bool, parts: &mut Vec<Part>) -> Result<()> {
    let larger = if backend.is_some() { &LARGER_WINDOWS[..] } else { &[] };
    for &(window, word_bits) in WINDOWS.iter().chain(larger) {
        let bug = (bug && window > 4).then_some(Bug::Rows);
        let tuning = Tuning { word_bits: Some(word_bits), ..Default::default() };
        let request = brute::Request { window, keep_table: true, bug, tuning, ..Default::default() };
        let outcome = match backend {
            None => brute::run_by_oracle(&request)?,
            Some(backend) => brute::run(&request, backend, &mut |_| {})?,
        };
        let table = outcome.table.expect("kept");
        parts.push(Part {
            what: format!("window {window}"),
            cells: table.iter().map(u64::from).collect(),
            name: Box::new(|mask| Position(mask as u64).to_string()),
        });
        let checks = outcome.formulas.iter().flat_map(|check| [check.checked, check.differ]);
        let told = [outcome.digest.0, outcome.mirror.checked, outcome.mirror.differ].into_iter().chain(checks);
        parts.push(Part {
            what: format!("its checks ({window})"),
            cells: told.chain(outcome.value_counts).chain(outcome.p_positions).collect(),
            name: Box::new(|cell| {
                let names = [
                    "the digest",
                    "positions compared with their mirror image",
                    "numbers of coins that break the mirror symmetry",
                    "positions compared with Welter's formula",
                    "positions that differ from Welter's formula",
                    "positions compared with the hook formula",
                    "positions that differ from the hook formula",
                    "positions compared with the digit form",
                    "positions that differ from the digit form",
                ];
                names.get(cell).map_or("counts of values and P-positions".into(), |name| name.to_string())
            }),
        });
    }
    Ok(())
}

/// Bases and numbers of cells that the oracle counts too, then larger ones.
const FULL: [(u32, u32); 4] = [(2, 20), (3, 20), (4, 12), (7, 12)];
const LARGER_FULL: (u32, u32) = (2, 44);

fn full_diagrams(backend: Option<&dyn Backend>, bug: bool, parts: &mut Vec<Part>) -> Result<()> {
    let larger = backend.is_some().then_some(LARGER_FULL);
    let mut part = |(p, nmax): (u32, u32)| {
        // The brute-force column is windows again.
        let request = full::Request { p, nmax, window: 0, bug };
        let outcome = match backend {
            None => full::run_by_oracle(&request)?,
            Some(backend) => full::run(&request, backend, None, &mut |_| {})?,
        };
        let counts = |term: &full::Term| {
            let counted = term.counted;
            [counted.partitions, counted.full, counted.by_degree, counted.disagreements]
        };
        parts.push(Part {
            what: format!("base {p} to {nmax} cells"),
            cells: outcome.terms.iter().flat_map(counts).collect(),
            name: Box::new(|cell| {
                let names = ["partitions", "full diagrams", "degrees prime to the base", "disagreements"];
                format!("{} of {}", names[cell % 4], cell / 4)
            }),
        });
        Ok(())
    };
    FULL.into_iter().chain(larger).try_for_each(&mut part)
}

const MSG: [(u32, u32); 4] = [(2, 16), (3, 18), (4, 12), (5, 12)];
const LARGER_MSG: (u32, u32) = (3, 34);

fn sub_diagrams(backend: Option<&dyn Backend>, bug: bool, parts: &mut Vec<Part>) -> Result<()> {
    let larger = backend.is_some().then_some(LARGER_MSG);
    let mut part = |(p, nmax): (u32, u32)| {
        let request = msg::Request { p, nmax, bug };
        let outcome = match backend {
            None => msg::run_by_oracle(&request)?,
            Some(backend) => msg::run(&request, backend, None, &mut |_| {})?,
        };
        let counts = |row: &crate::kernels::msg::MsgCount| {
            [row.partitions, row.full, row.exceptions, row.sum_msg, row.max_msg, row.msg_is_b_p]
        };
        parts.push(Part {
            what: format!("base {p} to {nmax} cells"),
            cells: outcome.rows.iter().flat_map(counts).collect(),
            name: Box::new(|cell| {
                let names =
                    ["diagrams", "full diagrams", "exceptions", "the sum of msg", "the greatest msg", "msg = b_p"];
                format!("{} of {}", names[cell % 6], cell / 6)
            }),
        });
        Ok(())
    };
    MSG.into_iter().chain(larger).try_for_each(&mut part)
}

/// Saturations that the oracle solves too: prime and composite bases, one coin moved at once to all of them.
const SATURATIONS: [[u32; 4]; 6] =
    [[2, 3, 2, 10], [3, 3, 2, 12], [3, 4, 3, 11], [4, 3, 3, 14], [5, 4, 4, 11], [3, 5, 6, 9]];
const LARGER_SATURATION: [u32; 4] = [3, 5, 3, 20];

/// Boxes of Nim with passes that every rung solves: piles, greatest pile, passes.
const BOXES: [(usize, u64, u32); 4] = [(1, 40, 3), (2, 24, 2), (3, 9, 1), (4, 4, 1)];

fn nim_with_passes(backend: Option<&dyn Backend>, bug: bool, parts: &mut Vec<Part>) -> Result<()> {
    for (piles, size, passes) in BOXES {
        let bug = (bug && piles > 1).then_some(pass::Bug::Pile);
        let request = pass::Request { piles, size, passes, next_pile: Some(false), bug, ..Default::default() };
        let outcome = match backend {
            None => pass::oracle::run(&request)?,
            Some(backend) => pass::run(&request, backend, &mut |_| {})?,
        };
        for (passes_left, (values, layer)) in outcome.table.layers.iter().zip(&outcome.layers).enumerate() {
            parts.push(Part {
                what: format!("{piles} piles to {size}, {passes_left} passes left"),
                cells: (0..values.len() as u64).map(|cell| values.get(cell)).chain([layer.digest.0]).collect(),
                name: Box::new(|cell| format!("cell {cell}, or the digest behind them")),
            });
        }
    }
    Ok(())
}

fn saturations(backend: Option<&dyn Backend>, bug: bool, parts: &mut Vec<Part>) -> Result<()> {
    let larger = backend.is_some().then_some(LARGER_SATURATION);
    for [p, m, k, window] in SATURATIONS.into_iter().chain(larger) {
        let cell = Cell { p: p.into(), m, k, window };
        // A bug in the moves needs a move of two coins to show.
        let bug = (bug && k > 2).then_some(sat::Bug::Moves);
        let request = sat::Request { cell, table: None, words: 1, bug };
        let outcome = match backend {
            None => sat::run_by_oracle(&request)?,
            Some(backend) => sat::run(&request, backend, &mut |_| {})?,
        };
        let colex = Colex::new(window, m);
        parts.push(Part {
            what: format!("p = {p}, m = {m}, k = {k}, window {window}"),
            cells: outcome.table.into_iter().map(u64::from).collect(),
            name: Box::new(move |rank| Position(colex.unrank(rank as u64)).to_string()),
        });
        let first = outcome.check.first.map_or([0; 3], |first| [first.position.mask(), first.value, first.formula]);
        let told = [outcome.digest.0, outcome.positions, outcome.check.checked, outcome.check.differ];
        parts.push(Part {
            what: "its checks".into(),
            cells: told.into_iter().chain(first).chain(outcome.max_value).collect(),
            name: Box::new(|cell| {
                let names = [
                    "the digest",
                    "positions",
                    "positions compared with b_p",
                    "positions that differ from b_p",
                    "the first of them, as a mask",
                    "its value",
                    "its b_p",
                    "the greatest value",
                ];
                names[cell].into()
            }),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(cells: &[&[u64]]) -> Vec<Part> {
        let part = |(i, cells): (usize, &&[u64])| Part {
            what: format!("part {i}"),
            cells: cells.to_vec(),
            name: Box::new(|cell| format!("cell {cell}")),
        };
        cells.iter().enumerate().map(part).collect()
    }

    #[test]
    fn any_altered_missing_or_spare_cell_is_a_difference() {
        let known: [&[u64]; 3] = [&[1, 2], &[], &[3]];
        assert_eq!(compare(&parts(&known), &parts(&known)), None);
        for (found, cell) in [
            ([&[1, 0][..], &[], &[3]], "part 0, cell 1"),
            ([&[1][..], &[], &[3]], "part 0, cell 1"),
            ([&[1, 2, 3][..], &[], &[3]], "part 0, cell 2"),
            ([&[1, 2][..], &[0], &[3]], "part 1, cell 0"),
            ([&[1, 2][..], &[], &[]], "part 2, cell 0"),
        ] {
            assert_eq!(compare(&parts(&found), &parts(&known)).unwrap().cell, cell);
        }
        assert_eq!(compare(&parts(&known[..1]), &parts(&known)).unwrap().cell, "part 2, cell 0");
    }
}
