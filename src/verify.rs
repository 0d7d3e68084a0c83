//! The flow for a table that certifies itself: its file, its rules, a look at every position, and the outcome.
//!
//! If no option of a position has its value and each smaller value is attained by some option, at every position, then
//! every value is right, by induction along the moves. That uses the moves and nothing else; they are written out once more
//! in [`crate::kernels::verify`]. See `docs/VERIFY.md`.

mod digests;

use std::path::PathBuf;
use std::time::Instant;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::backend::{Backend, Info};
use crate::error::{Error, Result, bytes};
use crate::index::binomial;
use crate::kernels::cells::{Cells, with_cells};
use crate::kernels::verify::{Brute, Fault, Found, Pass, Rules, Sat};
use crate::plan::{Capacity, MAX_WINDOW};
use crate::record::digest::Digest;
use crate::record::integer;
use crate::record::npy::{NpyTable, tuple};

/// Whose table it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Welter's game: one byte a mask, the window told from their number.
    Brute,
    /// A p-saturation: two bytes a set of `m` coins, in colex order.
    Sat {
        /// Any integer above 1.
        p: u64,
        /// Number of coins.
        m: u32,
        /// One more than the number of coins that may move at once.
        k: u32,
        /// Number of squares.
        window: u32,
    },
    /// Nim with passes: two or four bytes a position, of shape (passes + 1, piles...).
    Pass,
}

impl Game {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brute => "brute",
            Self::Sat { .. } => "sat",
            Self::Pass => "pass",
        }
    }

    fn widths(self) -> &'static [u32] {
        match self {
            Self::Brute => &[1],
            Self::Sat { .. } => &[2],
            Self::Pass => &[2, 4],
        }
    }

    /// The rules for a table of this shape.
    fn rules(self, file: &NpyTable) -> Result<Rules> {
        let shape = tuple(&file.shape);
        let flat = |cells: &str| {
            file.refuse(
                format!("its shape is {shape}, where this table has one axis of {cells}"),
                "name the right --game",
            )
        };
        match self {
            Self::Brute => {
                let [cells] = file.shape[..] else {
                    return Err(flat("2^N values"));
                };
                if !cells.is_power_of_two() {
                    let reason = format!("it has {cells} values, which is no power of two and so no window");
                    return Err(file.refuse(reason, "name the right --game, or export the table again"));
                }
                let window = cells.ilog2();
                if window > MAX_WINDOW {
                    let reason = format!("window {window} is above {MAX_WINDOW}");
                    return Err(file.refuse(reason, "name a table of a smaller window"));
                }
                Ok(Rules::Brute(Brute { window }))
            }
            Self::Sat { p, m, k, window } => {
                let positions = binomial(window, m) as u64;
                if file.shape != [positions] {
                    return Err(file.refuse(
                        format!("its shape is {shape}, and {m} coins on {window} squares make ({positions},)"),
                        "name --m and --window as the table was exported",
                    ));
                }
                Ok(Rules::Sat(Sat::new(p, m, k, window)))
            }
            Self::Pass => {
                let Some((layers, sides)) = file.shape.split_first().filter(|_| file.cells > 0) else {
                    let reason = format!("its shape is {shape}, where this game's is (passes + 1, piles...)");
                    return Err(file.refuse(reason, "name the right --game"));
                };
                Ok(Rules::Pass(Pass::new(*layers, sides)))
            }
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file.
    pub table: PathBuf,
    /// Whose table it is.
    pub game: Game,
}

/// Where a table is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The cell, what the table says there, and what is wrong with it.
    pub fault: Fault,
    /// Its position in words.
    pub position: String,
    /// The option of the same value in words, if there is one.
    pub same: Option<String>,
    json: Value,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was asked for.
    pub request: Request,
    /// The game with its size, in words.
    pub described: String,
    /// Positions of the table.
    pub positions: u64,
    /// Positions where the table is as it should be.
    pub verified: u64,
    /// Positions where it is not.
    pub violations: u64,
    /// The first of those in the order of reports. Its value is wrong for certain: every move leads to a position that
    /// comes before it, and all of those are right.
    pub first: Option<Violation>,
    /// The digest, or one for each number of passes left.
    pub digests: Vec<Digest>,
    /// What looked.
    pub backend: Info,
    /// Seconds in all, reading included.
    pub seconds: f64,
    size: Value,
}

impl Outcome {
    /// Whether the table is right.
    pub fn agreed(&self) -> bool {
        self.violations == 0 && self.verified == self.positions
    }

    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        let mut told = json!({"command": "verify", "game": self.request.game.name()});
        let fields = told.as_object_mut().expect("an object");
        fields.append(self.size.clone().as_object_mut().expect("an object"));
        let (digest, layers) = match (self.request.game, &self.digests[..]) {
            (Game::Pass, digests) => {
                let layer = |(s, d): (usize, &Digest)| json!({"passes_left": s, "digest": d.to_string()});
                (Value::Null, Some(digests.iter().enumerate().map(layer).collect::<Vec<_>>()))
            }
            (_, digests) => (digests[0].to_string().into(), None),
        };
        let rest = json!({
            "table": self.request.table.display().to_string(),
            "backend": self.backend,
            "positions": integer(self.positions),
            "verified": integer(self.verified),
            "violations": integer(self.violations),
            "first": self.first.as_ref().map(|first| &first.json),
            "digest": digest,
        });
        fields.append(rest.clone().as_object_mut().expect("an object"));
        if let Some(layers) = layers {
            fields.insert("layers".into(), layers.into());
        }
        fields.insert("seconds".into(), self.seconds.into());
        fields.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        told
    }
}

/// A table in memory whose shape is that of its game.
pub struct Prepared<'a> {
    began: Instant,
    request: &'a Request,
    backend: &'a dyn Backend,
    rules: Rules,
    cells: Cells,
}

/// Reads the file; whatever is impossible is refused before the work begins.
///
/// # Errors
/// [`Error::Read`] for a file that is no table of this game or does not fit the memory; [`Error::Usage`] for parameters out of
/// range.
pub fn prepare<'a>(request: &'a Request, backend: &'a dyn Backend) -> Result<Prepared<'a>> {
    let began = Instant::now();
    if let Game::Sat { p, k, window, .. } = request.game {
        let refuse = |text: String| Err(Error::Usage(text));
        if p < 2 {
            return refuse(format!("--p {p} is below 2, and ord_p counts powers of an integer above 1; use 2 or more"));
        }
        if k < 1 {
            return refuse("--k 0: at most k - 1 coins move at once, so k is at least 1; use 2 or more".into());
        }
        if window > 64 {
            return refuse(format!("--window {window} is above 64, the squares of a 64-bit mask; use 64 or less"));
        }
    }
    let file = NpyTable::open(&request.table, request.game.widths())?;
    let rules = request.game.rules(&file)?;
    fits(&file, &backend.capacity(), &backend.info())?;
    let cells = file.read()?;
    Ok(Prepared { began, request, backend, rules, cells })
}

fn fits(file: &NpyTable, capacity: &Capacity, info: &Info) -> Result<()> {
    let needed = file.bytes();
    let short = |what: String, remedy: &str| file.refuse(what, remedy);
    // A software adapter keeps its copy in the same memory.
    let copies = if info.software { 2 } else { 1 };
    if needed.saturating_mul(copies) > capacity.host_memory {
        return Err(short(
            format!(
                "its values need {} of memory and {} is available",
                bytes(u128::from(needed) * u128::from(copies)),
                bytes(capacity.host_memory.into())
            ),
            "free some memory, or verify it on a larger machine",
        ));
    }
    if info.kind == "gpu" {
        let room = u128::from(crate::backend::piece_bytes(capacity.binding)) * u128::from(capacity.pieces);
        if u128::from(needed) > room || file.cells > u32::MAX.into() {
            return Err(short(
                format!(
                    "its {} of values and {} cells are more than the {} and {} cells that {} holds",
                    bytes(needed.into()),
                    file.cells,
                    bytes(room),
                    u32::MAX,
                    capacity.device
                ),
                "use --backend cpu",
            ));
        }
    }
    Ok(())
}

/// Looks at every position. `progress` is told how many are done.
///
/// # Errors
/// As [`prepare`], and [`Error::Gpu`]; a wrong table is no error but part of the outcome.
pub fn run(request: &Request, backend: &dyn Backend, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
    prepare(request, backend)?.run(progress)
}

impl Prepared<'_> {
    /// Positions of the table.
    pub fn positions(&self) -> u64 {
        self.rules.cells()
    }

    /// Looks at every position; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub fn run(self, progress: &mut dyn FnMut(u64)) -> Result<Outcome> {
        let Self { began, request, backend, rules, cells } = self;
        let positions = rules.cells();
        let mut all = Found::default();
        let mut wrong: Vec<(u64, u64, Found)> = Vec::new();
        let mut engine = backend.open_verify(&rules, &cells)?;
        let stretch = engine.stretch();
        let mut first = 0;
        while first < positions {
            let count = stretch.min(positions - first);
            let found = engine.verify(first, count)?;
            all.add(&found);
            if found.violations > 0 {
                wrong.push((first, count, found));
            }
            first += count;
            progress(first);
        }
        drop(engine);
        let worst = wrong.iter().filter(|(.., found)| found.key == all.key);
        let mut least = None;
        for (first, count, found) in worst {
            let cell = first_of(&rules, &cells, *first, *count, found).map_err(|reason| Error::Gpu {
                device: backend.info().device,
                what: "impossible read-back".into(),
                reason,
            })?;
            least = least.into_iter().chain([cell]).min_by(|a, b| rules.report_order(*a, *b));
        }
        let fault = least.map(|cell| with_cells!(&cells, table => rules.fault(table, cell)));
        Ok(Outcome {
            request: request.clone(),
            described: described(request.game, &rules),
            positions,
            verified: all.verified,
            violations: all.violations,
            first: fault.map(|fault| violation(&rules, fault)),
            digests: digests::digests(&rules, &cells),
            backend: backend.info(),
            seconds: began.elapsed().as_secs_f64(),
            size: size(request.game, &rules),
        })
    }
}

/// The first violation of a stretch in the order of reports: looked for again by the CPU kernel, which must find what the
/// backend found.
fn first_of(rules: &Rules, cells: &Cells, first: u64, count: u64, found: &Found) -> std::result::Result<u64, String> {
    const EACH: u64 = 1 << 10;
    let one = |task: u64| {
        let from = task * EACH;
        let mut violations = Vec::new();
        let again = with_cells!(cells, table => {
            rules.verify(table, first + from, EACH.min(count - from), |cell| violations.push(cell))
        });
        violations.retain(|cell| Some(rules.key(*cell)) == found.key);
        (again, violations.into_iter().min_by(|a, b| rules.report_order(*a, *b)))
    };
    let (again, least) = (0..count.div_ceil(EACH)).into_par_iter().map(one).reduce(
        || (Found::default(), None),
        |(mut a, least), (b, other)| {
            a.add(&b);
            (a, least.into_iter().chain(other).min_by(|a, b| rules.report_order(*a, *b)))
        },
    );
    match least {
        Some(cell) if again == *found => Ok(cell),
        _ => Err(format!("{} violations from cell {first} on, and {} on the CPU", found.violations, again.violations)),
    }
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// A position in words.
fn name(rules: &Rules, cell: u64) -> String {
    match (rules.position(cell), rules) {
        (Some(position), _) => position.to_string(),
        (None, Rules::Pass(pass)) => {
            let (piles, passes) = pass.piles(cell);
            format!("({} | {passes} pass{} left)", list(&piles), if passes == 1 { "" } else { "es" })
        }
        (None, _) => format!("cell {cell}"),
    }
}

/// A position as JSON fields.
fn fields(rules: &Rules, cell: u64) -> Value {
    match (rules.position(cell), rules) {
        (None, Rules::Pass(pass)) => {
            let (piles, passes) = pass.piles(cell);
            json!({"piles": piles, "passes_left": passes})
        }
        (position, _) => json!({"coins": position.map(crate::Position::coins)}),
    }
}

fn violation(rules: &Rules, fault: Fault) -> Violation {
    let mut json = fields(rules, fault.cell);
    let said = json.as_object_mut().expect("an object");
    said.insert("cell".into(), integer(fault.cell));
    said.insert("value".into(), fault.value.into());
    said.insert("right_value".into(), fault.mex.into());
    said.insert("option_of_same_value".into(), fault.same.map_or(Value::Null, |same| fields(rules, same)));
    said.insert("missing".into(), if fault.mex < fault.value { fault.mex.into() } else { Value::Null });
    Violation { position: name(rules, fault.cell), same: fault.same.map(|same| name(rules, same)), fault, json }
}

fn described(game: Game, rules: &Rules) -> String {
    match (game, rules) {
        (Game::Sat { p, m, k, window }, _) => format!("saturation W^{m}_{{{p},{k}}}, window {window}"),
        (_, Rules::Brute(brute)) => format!("Welter's game, window {}", brute.window),
        (_, Rules::Pass(pass)) => {
            let greatest: Vec<u64> = pass.sides.iter().map(|side| side - 1).collect();
            let passes = pass.layers - 1;
            let es = if passes == 1 { "" } else { "es" };
            format!("Nim, piles up to ({}), up to {passes} pass{es}", list(&greatest))
        }
        (_, Rules::Sat(_)) => unreachable!("rules are made from the game"),
    }
}

fn size(game: Game, rules: &Rules) -> Value {
    match (game, rules) {
        (Game::Sat { p, m, k, window }, _) => json!({"p": integer(p), "m": m, "k": k, "window": window}),
        (_, Rules::Brute(brute)) => json!({"window": brute.window}),
        (_, Rules::Pass(pass)) => {
            let greatest: Vec<u64> = pass.sides.iter().map(|side| side - 1).collect();
            json!({"greatest": greatest, "passes": pass.layers - 1})
        }
        (_, Rules::Sat(_)) => unreachable!("rules are made from the game"),
    }
}
