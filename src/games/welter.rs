//! Welter's game (C. P. Welter, "The theory of a class of games on a sequence of squares, in terms of the advancing
//! operation in a special group", 1954; Sato's Maya game, after M. Sato, 1968).
//!
//! Finitely many coins lie on the squares 0, 1, 2, ..., at most one a square. A move takes one coin from its
//! square `a` to an empty square `b < a`; it may jump over others. Whoever cannot move loses.

use super::Ruleset;

/// Welter's game; a position is its coins, ascending.
#[derive(Clone, Copy, Debug, Default)]
pub struct Welter;

impl Ruleset for Welter {
    type Position = Vec<u32>;

    fn options(&self, coins: &Vec<u32>) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        for (i, &from) in coins.iter().enumerate() {
            for to in 0..from {
                if !coins.contains(&to) {
                    let mut option = coins.clone();
                    option[i] = to;
                    option.sort_unstable();
                    options.push(option);
                }
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins_jump() {
        assert_eq!(Welter.options(&vec![1, 2]), vec![vec![0, 2], vec![0, 1]]);
        assert!(Welter.options(&vec![0, 1, 2]).is_empty());
        assert!(Welter.options(&vec![]).is_empty());
    }
}
