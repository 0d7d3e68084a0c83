//! One position of Nim with passes: its value and winning moves, from the box that it spans.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::plan::{self, PassTuning};
use super::solve_layers;
use crate::backend::{Backend, Info};
use crate::error::Result;
use crate::games::Ruleset;
use crate::games::nim_pass::NimPass;
use crate::index::boxes;
use crate::oracle::Oracle;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Leaves `left` of the pile with this number, counted from 0.
    Take {
        /// Which pile.
        pile: usize,
        /// What is left of it.
        left: u32,
    },
    /// Uses a pass.
    Pass,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct PositionOutcome {
    /// The piles, in the order given.
    pub piles: Vec<u32>,
    /// Passes left.
    pub passes: u32,
    /// Its value.
    pub value: u64,
    /// The moves to positions of value 0: pile by pile, then the pass.
    pub winning: Vec<Move>,
    /// What computed it.
    pub backend: Info,
    /// Bytes held at the peak, as planned; 0 for the oracle.
    pub planned_bytes: u64,
    /// Seconds from the request to the outcome.
    pub seconds: f64,
}

/// The value and the winning moves of a position. `progress` is told how many values of the box are done, all layers
/// together.
///
/// # Errors
/// As [`plan::position`], and anything the backend reports.
pub fn run(
    piles: &[u32],
    passes: u32,
    backend: &dyn Backend,
    progress: &mut dyn FnMut(u64),
) -> Result<PositionOutcome> {
    let began = Instant::now();
    let plan = plan::position(piles, passes, &backend.pass_capacity(), &PassTuning::default())?;
    let sides = &plan.main.sides;
    let corner = plan.main.grid.cells - 1;
    let (mut value, mut below, mut winning) = (0, None, Vec::new());
    let mut uncounted = Duration::ZERO;
    solve_layers(backend, &plan.main, passes, None, &mut uncounted, progress, |passes_left, values| {
        if passes_left + 1 == passes {
            below = Some(values.get(corner));
        }
        if passes_left == passes {
            value = values.get(corner);
            for (pile, &size) in piles.iter().enumerate() {
                let mut option = piles.to_vec();
                for left in 0..size {
                    option[pile] = left;
                    if values.get(boxes::cell(sides, &option)) == 0 {
                        winning.push(Move::Take { pile, left });
                    }
                }
            }
        }
    })?;
    if below == Some(0) && piles.iter().any(|pile| *pile > 0) {
        winning.push(Move::Pass);
    }
    Ok(PositionOutcome {
        piles: piles.into(),
        passes,
        value,
        winning,
        backend: backend.info(),
        planned_bytes: plan.memory.total,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// The same from the definition.
///
/// # Errors
/// [`crate::Error::Usage`] for a position with more play below it than the oracle is let loose on.
pub fn run_by_oracle(piles: &[u32], passes: u32) -> Result<PositionOutcome> {
    let began = Instant::now();
    let sides: Vec<u64> = piles.iter().map(|pile| u64::from(*pile) + 1).collect();
    super::oracle::refuse_large(&sides, passes)?;
    let mut oracle = Oracle::new(NimPass);
    // In order, so that no value is asked for before those of its options are known.
    let cells: u64 = sides.iter().product();
    for passes_left in 0..=passes {
        (0..cells).for_each(|cell| {
            oracle.value(&(boxes::piles(&sides, cell), passes_left));
        });
    }
    let position = (piles.to_vec(), passes);
    let winning = NimPass.options(&position).into_iter().filter(|option| oracle.value(option) == 0);
    let winning: Vec<_> = winning.collect();
    let moves = winning.into_iter().map(|(option, _)| {
        match piles.iter().zip(&option).position(|(before, after)| before != after) {
            Some(pile) => Move::Take { pile, left: option[pile] },
            None => Move::Pass,
        }
    });
    Ok(PositionOutcome {
        piles: piles.into(),
        passes,
        value: oracle.value(&position).into(),
        winning: moves.collect(),
        backend: super::oracle::info(),
        planned_bytes: 0,
        seconds: began.elapsed().as_secs_f64(),
    })
}

impl PositionOutcome {
    /// The document that `--format json` prints.
    pub fn to_json(&self) -> Value {
        let moves: Vec<Value> = self
            .winning
            .iter()
            .map(|winning| match winning {
                Move::Take { pile, left } => {
                    let mut piles = self.piles.clone();
                    piles[*pile] = *left;
                    json!({"pile": pile + 1, "from": self.piles[*pile], "to": left, "piles": piles, "passes_left": self.passes})
                }
                Move::Pass => json!({"pass": true, "piles": self.piles, "passes_left": self.passes - 1}),
            })
            .collect();
        json!({
            "command": "pass",
            "position": self.piles,
            "passes": self.passes,
            "value": self.value,
            "p_position": self.value == 0,
            "winning_moves": moves,
            "backend": self.backend,
            "planned_bytes": crate::record::integer(self.planned_bytes),
            "seconds": self.seconds,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}
