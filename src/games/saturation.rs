//! The `p`-saturations `W^m_{p,k}` of Welter's game (Y. Irie, "p-Saturations of Welter's Game and the Irreducible
//! Representations of Symmetric Groups", 2018).
//!
//! `m` named coins lie on distinct squares. A move lowers at least one and at most `k - 1` coins at once, each by a
//! distance of its own, to squares that are all distinct afterwards; coins may pass one another and may enter a square
//! that another moved coin leaves. With distances `d_i > 0` it is legal iff `ord_p(sum d_i) = min ord_p(d_i)`. Whoever
//! cannot move loses. `W^m_{2,2}` is Welter's game.

use super::Ruleset;

/// `W^m_{p,k}`; a position is its coins, ascending (the names of the coins do not change its value).
#[derive(Clone, Copy, Debug)]
pub struct Saturation {
    /// Any integer above 1, prime or not.
    pub p: u64,
    /// One more than the number of coins that may move at once; at least 1.
    pub k: u32,
}

impl Ruleset for Saturation {
    type Position = Vec<u32>;

    /// One option for each legal choice of distances, so some positions are listed more than once.
    fn options(&self, coins: &Vec<u32>) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        self.choose(coins, &mut coins.clone(), 0, &mut options);
        options
    }
}

impl Saturation {
    /// Gives coin number `next` and those after it every distance from 0 (it stays) up to its square.
    fn choose(&self, from: &[u32], to: &mut Vec<u32>, next: usize, options: &mut Vec<Vec<u32>>) {
        if next == from.len() {
            if self.legal(from, to) {
                let mut option = to.clone();
                option.sort_unstable();
                options.push(option);
            }
            return;
        }
        let moved = from.iter().zip(&to[..next]).filter(|(from, to)| from != to).count() as u32;
        let furthest = if moved + 1 < self.k { from[next] } else { 0 };
        for distance in 0..=furthest {
            to[next] = from[next] - distance;
            if !to[..next].contains(&to[next]) {
                self.choose(from, to, next + 1, options);
            }
        }
    }

    fn legal(&self, from: &[u32], to: &[u32]) -> bool {
        let distances: Vec<u64> = from.iter().zip(to).map(|(a, b)| u64::from(a - b)).filter(|d| *d > 0).collect();
        let least = distances.iter().map(|d| self.ord(*d)).min();
        least.is_some_and(|least| self.ord(distances.iter().sum()) == least)
    }

    fn ord(&self, mut d: u64) -> u32 {
        let mut e = 0;
        while d.is_multiple_of(self.p) {
            d /= self.p;
            e += 1;
        }
        e
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::welter::Welter;

    fn distinct(p: u64, k: u32, coins: &[u32]) -> Vec<Vec<u32>> {
        let mut options = Saturation { p, k }.options(&coins.to_vec());
        options.sort();
        options.dedup();
        options
    }

    #[test]
    fn the_paper_s_example() {
        assert!(distinct(2, 3, &[3, 4]).contains(&vec![0, 1]));
        assert!(!distinct(2, 2, &[3, 4]).contains(&vec![0, 1]));
    }

    #[test]
    fn one_coin_at_a_time_is_welters_game() {
        for coins in [vec![], vec![1, 2], vec![0, 3, 4, 9]] {
            let mut welter = Welter.options(&coins);
            welter.sort();
            for p in 2..6 {
                assert_eq!(distinct(p, 2, &coins), welter);
            }
        }
    }

    #[test]
    fn no_coin_may_move_for_k_1() {
        assert!(distinct(3, 1, &[4, 7]).is_empty());
    }
}
