//! The verifier's moves of the saturations `W^m_{p,k}`, from the definition: up to `k - 1` coins, each to a lower square of
//! its own, with `ord_p` of the whole distance as small as the least of theirs. Twin of `shaders/verify_sat.wgsl`.

use super::verify::Moves;
use crate::index::binomial;

/// A saturation on a window; cells are the masks with `m` coins, in increasing order.
#[derive(Clone, Debug)]
pub struct Sat {
    /// Number of squares, at most 64.
    pub window: u32,
    /// Number of coins.
    pub coins: u32,
    /// How many may move at once: the lesser of `k - 1` and `m`.
    pub moves: u32,
    /// `C(a, j)` at `a * (coins + 2) + j`, for squares `a` and `j <= coins + 1`.
    pub binomials: Vec<u64>,
    /// `ord_p` of every whole distance; of 0 it is never asked.
    pub ord: Vec<u32>,
}

impl Sat {
    /// The game for `p >= 2`, `m`, `k >= 1` on a window of at most 64 squares.
    pub fn new(p: u64, m: u32, k: u32, window: u32) -> Self {
        assert!(p >= 2 && k >= 1 && window <= 64, "request: p = {p}, k = {k}, window {window}");
        // More coins than squares make no position, so how many more does not matter.
        let coins = m.min(window + 1);
        let binomials = (0..window.max(1)).flat_map(|a| (0..=coins + 1).map(move |j| binomial(a, j) as u64)).collect();
        let ord = |d: u64| (1..).find(|e| !d.is_multiple_of(p.saturating_pow(*e))).map_or(0, |e| e - 1);
        let ord = (0..=4096).map(|d| if d == 0 { 0 } else { ord(d) }).collect();
        Self { window, coins, moves: (k - 1).min(coins), binomials, ord }
    }

    fn binomial(&self, a: u32, j: u32) -> u64 {
        self.binomials[(a * (self.coins + 2) + j) as usize]
    }

    /// The cell of a set of coins: `SUM C(x_j, j)` over the coins `x_1 < x_2 < ...`.
    #[inline(always)]
    fn cell(&self, mut coins: u64) -> u64 {
        let (mut cell, mut j) = (0, 1);
        while coins != 0 {
            cell += self.binomial(coins.trailing_zeros(), j);
            coins &= coins - 1;
            j += 1;
        }
        cell
    }

    /// The coins of a cell: from the highest down, each on the highest square whose binomial still fits.
    pub fn coins(&self, mut cell: u64) -> u64 {
        let (mut coins, mut left) = (0, self.coins);
        for a in (0..self.window).rev() {
            if left > 0 && self.binomial(a, left) <= cell {
                cell -= self.binomial(a, left);
                coins |= 1 << a;
                left -= 1;
            }
        }
        coins
    }

    /// Moves one more of the coins `below`, on top of those `moved` from their squares `to` others.
    fn one_more(&self, coins: u64, below: u64, so_far: Moved, visit: &mut impl FnMut(u64)) {
        let mut below = below;
        while below != 0 {
            let from = below.ilog2();
            below ^= 1 << from;
            for to in (0..from).filter(|to| so_far.to >> to & 1 == 0) {
                let distance = from - to;
                let now = Moved {
                    coins: so_far.coins + 1,
                    from: so_far.from | 1 << from,
                    to: so_far.to | 1 << to,
                    distance: so_far.distance + distance,
                    least_ord: so_far.least_ord.min(self.ord[distance as usize]),
                };
                let stay = coins & !now.from;
                if stay & now.to == 0 && self.ord[now.distance as usize] == now.least_ord {
                    visit(self.cell(stay | now.to));
                }
                if now.coins < self.moves {
                    self.one_more(coins, below, now, visit);
                }
            }
        }
    }
}

/// Coins that have moved, each named by its square.
#[derive(Clone, Copy)]
struct Moved {
    coins: u32,
    from: u64,
    to: u64,
    distance: u32,
    least_ord: u32,
}

impl Moves for Sat {
    const WORDS: usize = 4;

    fn cells(&self) -> u64 {
        binomial(self.window, self.coins) as u64
    }

    fn options(&self, cell: u64, visit: &mut impl FnMut(u64)) {
        if self.moves > 0 {
            let coins = self.coins(cell);
            self.one_more(coins, coins, Moved { coins: 0, from: 0, to: 0, distance: 0, least_ord: u32::MAX }, visit);
        }
    }

    fn key(&self, cell: u64) -> u64 {
        super::bits_sum(self.coins(cell))
    }

    fn work(&self) -> u64 {
        let squares = f64::from(self.window) / 2.0;
        let choices = |j: u32| binomial(self.coins.min(64), j) as f64 * squares.powi(j as i32);
        ((1..=self.moves).map(choices).sum::<f64>() as u64).max(1)
    }
}
