//! Closed forms for the `p`-saturations `W^m_{p,k}` (Y. Irie, 2018): when a move is legal, how many options a window
//! holds, the lower bound of the saturation index and its witness.

use std::collections::BTreeMap;

use super::ord;
use crate::Position;
use crate::index::binomial;

/// Whether `from -> to` is a move of `W_{p,k}`, by residue classes: with `S = from \ to`, `T = to \ from` and
/// `e = ord_p(sum S - sum T)`, at most `k - 1` coins are in `S`, and in every class modulo `p^e` there are equally many
/// of `S` and `T`, the `i`-th least of `T` below the `i`-th least of `S` for every `i`.
///
/// `docs/SATURATIONS.md` proves that this is the definition; a test compares the two on every pair of whole windows.
pub fn legal(p: u64, k: u32, from: Position, to: Position) -> bool {
    let (s, t) = (Position(from.0 & !to.0), Position(to.0 & !from.0));
    if s.0.count_ones() != t.0.count_ones() || s.0.count_ones() >= k || s.coin_sum() <= t.coin_sum() {
        return false;
    }
    let q = p.pow(ord(p, s.coin_sum() - t.coin_sum()));
    let classes = |squares: Position| {
        let mut classes: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for a in squares.coins() {
            classes.entry(a % q).or_default().push(a);
        }
        classes
    };
    let (s, t) = (classes(s), classes(t));
    s.len() == t.len()
        && s.iter().zip(&t).all(|((s_class, s), (t_class, t))| {
            s_class == t_class && s.len() == t.len() && s.iter().zip(t).all(|(s, t)| t < s)
        })
}

/// The number of options of all positions with `m` coins on `[0, n)`, `n <= 64`: pairs `(X, Y)` of positions with
/// `X -> Y` a move of `W^m_{p,k}`, each counted once.
///
/// A pair `(S, T)` of `r` squares each leaves `C(n - 2r, m - r)` ways to put the coins that stay. The legal `(S, T)`
/// are counted for each `e` by going down the squares class by class modulo `p^e`, keeping how many of `S` are not yet
/// matched, `r`, and the sum of distances modulo `p^(e + 1)`, which must not be 0 in the end.
pub fn options(p: u64, m: u32, k: u32, n: u32) -> u128 {
    let most = k.saturating_sub(1).min(m).min(n.saturating_sub(m)) as usize;
    if most == 0 {
        return 0;
    }
    // Distances add up to at most m (n - m): a larger p forbids nothing.
    let p = p.min(u64::from(m * (n - m)) + 1) as usize;
    let mut pairs = vec![0u128; most + 1];
    let mut q = 1;
    while q < n as usize {
        for (r, count) in pairs_of_class(p, q, most, n as usize).into_iter().enumerate() {
            pairs[r] += count;
        }
        q *= p;
    }
    (1..=most).map(|r| pairs[r] * binomial(n - 2 * r as u32, m - r as u32)).sum()
}

/// Legal pairs by `r`, for one modulus `q = p^e`.
fn pairs_of_class(p: usize, q: usize, most: usize, n: usize) -> Vec<u128> {
    let at = |unmatched: usize, r: usize, sum: usize| (unmatched * (most + 1) + r) * p + sum;
    let size = (most + 1) * (most + 1) * p;
    let mut ways = vec![0u128; size];
    ways[at(0, 0, 0)] = 1;
    for class in 0..q.min(n) {
        for step in (0..=(n - 1 - class) / q).rev() {
            let mut next = ways.clone();
            for unmatched in 0..=most {
                for r in 0..=most {
                    for sum in 0..p {
                        let count = ways[at(unmatched, r, sum)];
                        if count == 0 {
                            continue;
                        }
                        if r < most && unmatched < most {
                            next[at(unmatched + 1, r + 1, (sum + step) % p)] += count;
                        }
                        if unmatched > 0 {
                            next[at(unmatched - 1, r, (sum + p - step % p) % p)] += count;
                        }
                    }
                }
            }
            ways = next;
        }
        // Nothing may stay unmatched when a class ends.
        ways[at(1, 0, 0)..].fill(0);
    }
    (0..=most).map(|r| if r == 0 { 0 } else { (1..p).map(|sum| ways[at(0, r, sum)]).sum() }).collect()
}

/// Irie's lower bound of the `p`-saturation index of `W^m`: `min(p, m + 1)`.
pub fn lower_bound(p: u64, m: u32) -> u32 {
    p.min(u64::from(m) + 1) as u32
}

/// The coins by which Irie proves the lower bound `k = min(p, m + 1)`: `{p, ..., p + k - 2}` shifted up by `m - k + 1`,
/// with `0 ..= m - k` below. Its `b_p` is `p (k - 1)`, its value for parameter `k - 1` is 0. `m >= 1`.
pub fn witness(p: u64, m: u32) -> Vec<u64> {
    let k = u64::from(lower_bound(p, m));
    let shift = u64::from(m) + 1 - k;
    (0..shift).chain((0..k - 1).map(|i| p.saturating_add(i + shift))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::digits;

    #[test]
    fn options_are_counted_exactly() {
        for (p, m, k, n) in [
            (2, 3, 2, 9),
            (2, 3, 4, 9),
            (3, 3, 3, 9),
            (3, 4, 4, 9),
            (4, 3, 4, 10),
            (6, 4, 5, 9),
            (9, 2, 3, 8),
            (50, 2, 3, 8),
        ] {
            let masks: Vec<u64> = (0..1u64 << n).filter(|mask| mask.count_ones() == m).collect();
            let pairs = masks.iter().flat_map(|x| masks.iter().map(move |y| (Position(*x), Position(*y))));
            let count = pairs.filter(|(x, y)| legal(p, k, *x, *y)).count();
            assert_eq!(options(p, m, k, n), count as u128, "p {p}, m {m}, k {k}, window {n}");
        }
        assert_eq!(options(3, 3, 1, 9), 0);
        assert_eq!(options(3, 0, 1, 9), 0);
        assert_eq!(options(3, 9, 3, 9), 0);
    }

    #[test]
    fn the_witness_has_the_digits_of_the_paper() {
        for (p, m) in [(3, 3), (3, 2), (4, 3), (5, 4), (5, 5), (5, 9), (7, 6), (9, 4), (2, 1), (2, 5)] {
            let coins = witness(p, m);
            assert_eq!(coins.len(), m as usize);
            assert_eq!(digits::value(p, &coins), p * u64::from(lower_bound(p, m) - 1));
        }
        assert_eq!(witness(5, 5), [0, 6, 7, 8, 9]);
    }
}
