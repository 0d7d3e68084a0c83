//! The Young diagram of a position, its hooks, and Sato's hook formula (M. Sato, "On Maya game", 1970).

use super::n_of;

/// All hook lengths: one for each coin `a` and empty square `b < a`, of length `a - b`; coins ascending.
pub fn hooks(coins: &[u64]) -> Vec<u64> {
    let mut hooks = Vec::new();
    for &a in coins {
        for b in 0..a {
            if !coins.contains(&b) {
                hooks.push(a - b);
            }
        }
    }
    hooks
}

/// Sato's hook formula: the XOR over all hook lengths `h` of `2^(ord_2 h + 1) - 1`.
pub fn value(coins: &[u64]) -> u64 {
    hooks(coins).into_iter().map(n_of).fold(0, |v, n| v ^ n)
}

/// The rows of the diagram, longest first: coins `x1 > x2 > ... > xm` give `xi - (m - i)`; empty rows are left out.
pub fn partition(coins: &[u64]) -> Vec<u64> {
    let mut sorted = coins.to_vec();
    sorted.sort_unstable();
    let rows = sorted.iter().enumerate().map(|(below, x)| x - below as u64);
    let mut rows: Vec<u64> = rows.filter(|row| *row > 0).collect();
    rows.reverse();
    rows
}
