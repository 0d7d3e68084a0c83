//! The rulesets: what a position is and its options, straight from the definition; no tables, no formulas.

pub mod saturation;
pub mod welter;

use std::hash::Hash;

/// An impartial game under normal play, as the oracle sees it.
pub trait Ruleset {
    /// A position.
    type Position: Clone + Eq + Hash;

    /// Every option of a position, as the rule states them. Must be finite, and no play may go on for ever.
    fn options(&self, position: &Self::Position) -> Vec<Self::Position>;
}
