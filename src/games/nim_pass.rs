//! Nim with passes (the version with one pass is treated by R. E. Morrison, E. J. Friedman and A. S. Landsberg,
//! "Combinatorial games with a pass: a dynamical systems approach", 2012).
//!
//! Finitely many piles and `s` passes left, which both players share. A move takes any positive number from one pile; or,
//! if `s > 0` and some pile is not empty, it uses one pass and leaves the piles as they are. When all piles are empty
//! the game is over, whatever `s` is. Whoever cannot move loses.

use super::Ruleset;

/// Nim with passes; a position is its piles in order and the passes left.
#[derive(Clone, Copy, Debug, Default)]
pub struct NimPass;

/// The piles and the passes left.
pub type PassPosition = (Vec<u32>, u32);

impl Ruleset for NimPass {
    type Position = PassPosition;

    fn options(&self, (piles, passes): &PassPosition) -> Vec<PassPosition> {
        let mut options = Vec::new();
        for (i, &pile) in piles.iter().enumerate() {
            for left in 0..pile {
                let mut option = piles.clone();
                option[i] = left;
                options.push((option, *passes));
            }
        }
        if *passes > 0 && piles.iter().any(|pile| *pile > 0) {
            options.push((piles.clone(), passes - 1));
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_needs_a_pile() {
        assert!(NimPass.options(&(vec![0, 0], 3)).is_empty());
        assert!(NimPass.options(&(vec![], 1)).is_empty());
        assert_eq!(NimPass.options(&(vec![1, 0], 1)), vec![(vec![0, 0], 1), (vec![1, 0], 0)]);
        assert_eq!(NimPass.options(&(vec![2], 0)), vec![(vec![0], 0), (vec![1], 0)]);
    }
}
