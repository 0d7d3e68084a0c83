//! The digest of a layer of a box: one number, the same for every backend, thread count and order of evaluation.
//!
//! ```text
//! digest = SUM over cells (x_1, ..., x_r) of (v(x) + 1) * PRODUCT over piles i of q(i)^(x_i)   (mod 2^61 - 1)
//! ```
//!
//! with piles counted from 0 and `q` as in [`super::digest`]. It is the value of a polynomial of degree at most the greatest
//! sum of piles `d`, so two different layers of one box agree with probability at most `d / 2^61` (Schwartz 1980, Zippel 1979).

use rayon::prelude::*;

use super::digest::{Digest, P, add, mul, q};
use crate::index::boxes;
use crate::kernels::layer::{Cell, Values, with_values};

/// The digest straight from the definition.
pub fn by_definition(sides: &[u64], value: impl Fn(u64) -> u64) -> Digest {
    let cells: u64 = sides.iter().product();
    let mut sum = 0;
    for cell in 0..cells {
        let mut term = value(cell) + 1;
        for (i, pile) in (0..).zip(boxes::piles(sides, cell)) {
            for _ in 0..pile {
                term = mul(term, q(i));
            }
        }
        sum = add(sum, term);
    }
    Digest(sum)
}

/// The digest of a layer, line by line in parallel.
pub fn of_layer(sides: &[u64], values: &Values) -> Digest {
    Digest(with_values!(values, v => layer(sides, v)))
}

fn powers(i: usize, side: u64) -> Vec<u64> {
    std::iter::successors(Some(1), |power| Some(mul(*power, q(i as u32)))).take(side as usize).collect()
}

fn layer<T: Cell>(sides: &[u64], values: &[T]) -> u64 {
    let powers: Vec<Vec<u64>> = sides.iter().enumerate().map(|(i, side)| powers(i, *side)).collect();
    let Some((along, outer)) = powers.split_last() else {
        return values[0].get() + 1;
    };
    // Products stay below 2^32 * 2^61, so 2^32 of them can be summed before a reduction, more than a line has.
    let one_line = |(number, line): (usize, &[T])| {
        let sum: u128 = line.iter().zip(along).map(|(v, power)| u128::from(v.get() + 1) * u128::from(*power)).sum();
        let piles = boxes::piles(&sides[..outer.len()], number as u64);
        let weight = piles.iter().zip(outer).fold(1, |weight, (pile, power)| mul(weight, power[*pile as usize]));
        mul(reduce(sum), weight)
    };
    values.par_chunks(along.len()).enumerate().with_min_len(16).map(one_line).reduce(|| 0, add)
}

/// A number below `2^127` modulo [`P`].
fn reduce(n: u128) -> u64 {
    let folded = (n & u128::from(P)) + (n >> 61);
    let folded = (folded & u128::from(P)) + (folded >> 61);
    (folded % u128::from(P)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree_and_any_altered_or_swapped_cell_shows() {
        for sides in [&[][..], &[1], &[9], &[4, 5], &[3, 1, 4], &[2, 3, 2, 3]] {
            let cells: u64 = sides.iter().product();
            let mut v: Vec<u16> = (0..cells).map(|c| (c * 7 % 11) as u16).collect();
            let digest = of_layer(sides, &Values::U16(v.clone()));
            assert_eq!(digest, by_definition(sides, |c| v[c as usize].into()));
            assert_eq!(digest, of_layer(sides, &Values::U32(v.iter().map(|v| (*v).into()).collect())));
            for c in 0..v.len() {
                v[c] += 1;
                assert_ne!(of_layer(sides, &Values::U16(v.clone())), digest);
                v[c] -= 1;
            }
            if v.len() > 1 {
                v.swap(0, 1);
                assert_ne!(of_layer(sides, &Values::U16(v)), digest);
            }
        }
    }

    #[test]
    fn reductions() {
        for n in [0, 1, u128::from(P) - 1, P.into(), u128::from(P) + 1, (1 << 127) - 1] {
            assert_eq!(u128::from(reduce(n)), n % u128::from(P));
        }
    }
}
