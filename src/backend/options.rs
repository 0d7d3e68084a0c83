//! What a backend does for an option game: batches of a plan's parts, solved, then checked.

use crate::error::Result;
use crate::index::colex::Colex;
use crate::index::sums::Sums;
use crate::plan::options::{OptionPlan, Part};

/// A plan and the tables made for it.
pub struct OptionSetup {
    /// The plan.
    pub plan: OptionPlan,
    /// Ranks.
    pub colex: Colex,
    /// Levels.
    pub sums: Sums,
}

impl OptionSetup {
    /// Makes the tables of a plan.
    pub fn new(plan: OptionPlan) -> Self {
        Self { colex: Colex::new(plan.window, plan.coins), sums: Sums::new(plan.window, plan.coins), plan }
    }
}

/// Whether a batch was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solved {
    /// All of it.
    All,
    /// Some value does not fit the plan's sets: plan again with wider ones.
    SetsFull,
}

/// A backend at work on one plan: its batches in order, each solved, then checked.
pub trait OptionEngine {
    /// Solves the parts of a batch by mex, level by level; no formula is used.
    fn solve(&mut self, batch: &[Part]) -> Result<Solved>;

    /// How many positions of each part of the batch just solved differ from the formula.
    fn check(&mut self, batch: &[Part]) -> Result<Vec<u64>>;

    /// All values, by colex rank, once every batch is solved. Values have at most 11 bits, see [`crate::plan::options`].
    fn values(&mut self) -> Result<Vec<u16>>;
}
