//! What was found of a box of Nim with passes, and how it is told.

use serde_json::{Value, json};

use super::{BoxTable, Request};
use crate::backend::Info;
use crate::check::boxes::Check;
use crate::record::checkpoint::Resumed;
use crate::record::digest::Digest;
use crate::record::integer;

/// Seconds spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Solving the box asked for, by mex.
    pub solve: f64,
    /// Checking, counting and digests, without solving the box of one pile more.
    pub check: f64,
    /// Everything from the request to the outcome, files and the box of one pile more included.
    pub total: f64,
}

/// One layer in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerSummary {
    /// Passes left.
    pub passes_left: u32,
    /// Positions.
    pub positions: u64,
    /// Positions of value 0.
    pub p_positions: u64,
    /// The greatest value.
    pub max_value: u64,
    /// The digest of the layer.
    pub digest: Digest,
}

/// The theorem of the next pile for one layer: `z = g(x)` iff `g(x, z) = 0`, for every `x` of `piles` piles and every
/// `z` up to the size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Number of piles of `x`.
    pub piles: u64,
    /// Passes left.
    pub passes_left: u32,
    /// What was found.
    pub check: Check,
}

/// The theorem of the next pile, for all layers and both boxes that the table can be linked to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextPile {
    /// Each comparison.
    pub links: Vec<Link>,
    /// Why the box of one pile more was not solved, if it was not.
    pub not_checked: Option<String>,
}

impl NextPile {
    /// All links together.
    pub fn all(&self) -> Check {
        self.links.iter().fold(Check::default(), |mut all, link| {
            all.absorb(link.check.clone());
            all
        })
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Number of piles.
    pub piles: usize,
    /// The greatest pile.
    pub size: u64,
    /// The most passes left.
    pub passes: u32,
    /// What solved it.
    pub backend: Info,
    /// All layers.
    pub table: BoxTable,
    /// The layers in numbers.
    pub layers: Vec<LayerSummary>,
    /// Layer 0 against the XOR of the piles.
    pub xor: Check,
    /// Each layer against the layer two below.
    pub parity: Check,
    /// Invariance under permutations of the piles.
    pub permutation: Check,
    /// No value twice on a line.
    pub latin: Check,
    /// Cells with at most one pile against their closed form.
    pub one_pile: Check,
    /// Cells with at most two piles: which of them are P-positions.
    pub two_piles: Check,
    /// The theorem that links boxes of r and r + 1 piles.
    pub next_pile: NextPile,
    /// The layers that are equal to another, in groups.
    pub equal_layers: Vec<Vec<u32>>,
    /// What came from a checkpoint.
    pub resumed: Resumed,
    /// Bytes held at the peak, as planned; 0 for the oracle, which has no plan.
    pub planned_bytes: u64,
    /// Times.
    pub seconds: Seconds,
}

impl Outcome {
    /// A table of which nothing is told yet.
    pub(super) fn new(request: &Request, table: BoxTable, backend: Info, planned_bytes: u64) -> Self {
        Self {
            piles: request.piles,
            size: request.size,
            passes: request.passes,
            backend,
            table,
            layers: Vec::new(),
            xor: Check::default(),
            parity: Check::default(),
            permutation: Check::default(),
            latin: Check::default(),
            one_pile: Check::default(),
            two_piles: Check::default(),
            next_pile: NextPile::default(),
            equal_layers: Vec::new(),
            resumed: Resumed::default(),
            planned_bytes,
            seconds: Seconds::default(),
        }
    }

    /// The checks by name; each is of a proven statement, so that any difference is an error.
    pub fn checks(&self) -> [(&'static str, Check); 7] {
        [
            ("xor", self.xor.clone()),
            ("parity", self.parity.clone()),
            ("permutation", self.permutation.clone()),
            ("latin", self.latin.clone()),
            ("one_pile", self.one_pile.clone()),
            ("two_piles", self.two_piles.clone()),
            ("next_pile", self.next_pile.all()),
        ]
    }

    /// Whether every check agreed.
    pub fn agreed(&self) -> bool {
        self.checks().iter().all(|(_, check)| check.differ == 0)
    }

    /// The document that `--format json` prints and records hold.
    pub fn to_json(&self) -> Value {
        let layers: Vec<Value> = self
            .layers
            .iter()
            .map(|layer| {
                json!({
                    "passes_left": layer.passes_left,
                    "positions": integer(layer.positions),
                    "p_positions": integer(layer.p_positions),
                    "max_value": layer.max_value,
                    "digest": layer.digest.to_string(),
                })
            })
            .collect();
        let mut checks = serde_json::Map::new();
        for (name, check) in &self.checks()[..6] {
            let told =
                json!({"checked": integer(check.checked), "differ": integer(check.differ), "first": check.first});
            checks.insert(name.to_string(), told);
        }
        let told = |check: &Check| json!({"checked": integer(check.checked), "exceptions": integer(check.differ), "first": check.first});
        let links: Vec<Value> = self
            .next_pile
            .links
            .iter()
            .map(|link| {
                let mut row = json!({"piles": link.piles, "passes_left": link.passes_left});
                row.as_object_mut().expect("an object").append(told(&link.check).as_object_mut().expect("an object"));
                row
            })
            .collect();
        let mut next_pile = told(&self.next_pile.all());
        next_pile["links"] = links.into();
        next_pile["not_checked"] = self.next_pile.not_checked.clone().into();
        checks.insert("next_pile".into(), next_pile);
        json!({
            "command": "pass",
            "piles": self.piles,
            "size": self.size,
            "passes": self.passes,
            "backend": self.backend,
            "layers": layers,
            "checks": checks,
            "equal_layers": self.equal_layers,
            "resumed": self.resumed,
            "planned_bytes": integer(self.planned_bytes),
            "seconds": {
                "solve": self.seconds.solve,
                "check": self.seconds.check,
                "total": self.seconds.total,
            },
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}
