//! The digest of an exported table, equal to that of the run that exported it; from the definitions in
//! [`crate::record::digest`], a line of cells at a time.

use rayon::prelude::*;

use crate::kernels::cells::{Cell, Cells, with_cells};
use crate::kernels::verify::{Pass, Rules};
use crate::record::digest::{Digest, P, add, mul, q};

/// The digests of a table: one, or one a layer by passes left.
pub fn digests(rules: &Rules, cells: &Cells) -> Vec<Digest> {
    with_cells!(cells, table => of(rules, table))
}

fn of(rules: &Rules, table: &[impl Cell]) -> Vec<Digest> {
    match rules {
        Rules::Brute(brute) => vec![masks(brute.window, table)],
        Rules::Sat(sat) => {
            let q: Vec<u64> = (0..64).map(q).collect();
            let term = |(cell, value): (usize, &_)| term(&q, sat.coins(cell as u64), value);
            vec![Digest(table.par_iter().enumerate().with_min_len(1 << 10).map(term).reduce(|| 0, add))]
        }
        Rules::Pass(pass) => table.chunks(pass.layer as usize).map(|layer| piles(pass, layer)).collect(),
    }
}

/// `(v + 1)` times the product over the coins.
fn term(q: &[u64], mut coins: u64, value: &impl Cell) -> u64 {
    let mut term = value.get() + 1;
    while coins != 0 {
        term = mul(term, q[coins.trailing_zeros() as usize]);
        coins &= coins - 1;
    }
    term
}

/// A table indexed by mask: the low squares' weights are made once.
fn masks(window: u32, table: &[impl Cell]) -> Digest {
    let low = window.min(12);
    let mut weights = vec![1];
    for a in 0..low {
        let more: Vec<u64> = weights.iter().map(|w| mul(*w, q(a))).collect();
        weights.extend(more);
    }
    let high: Vec<u64> = (low..window).map(q).collect();
    let block = |(i, values): (usize, &[_])| scaled(&weights, values, product(&high, i as u64));
    Digest(table.par_chunks(weights.len()).enumerate().map(block).reduce(|| 0, add))
}

fn product(q: &[u64], mask: u64) -> u64 {
    (0..).zip(q).filter(|(a, _)| mask >> a & 1 == 1).fold(1, |w, (_, q)| mul(w, *q))
}

/// The sum of `(v + 1) * weight` along a line, times what its cells have in common.
fn scaled(weights: &[u64], values: &[impl Cell], common: u64) -> u64 {
    // A product is below 2^32 * 2^61; 2^32 of them fit, and a line has fewer.
    let sum: u128 = weights.iter().zip(values).map(|(w, v)| u128::from(*w) * u128::from(v.get() + 1)).sum();
    mul((sum % u128::from(P)) as u64, common)
}

/// A layer of piles: the last pile runs along a line.
fn piles(pass: &Pass, layer: &[impl Cell]) -> Digest {
    let powers = |(i, side): (u32, &u64)| -> Vec<u64> {
        std::iter::successors(Some(1), |power| Some(mul(*power, q(i)))).take(*side as usize).collect()
    };
    let powers: Vec<Vec<u64>> = (0..).zip(&pass.sides).map(powers).collect();
    let Some((along, outer)) = powers.split_last() else {
        return Digest(layer.iter().fold(0, |sum, value| add(sum, value.get() + 1)));
    };
    let line = |(number, values): (usize, &[_])| {
        let (piles, _) = pass.piles((number * along.len()) as u64);
        let common = outer.iter().zip(&piles).fold(1, |w, (powers, pile)| mul(w, powers[*pile as usize]));
        scaled(along, values, common)
    };
    Digest(layer.par_chunks(along.len()).enumerate().with_min_len(16).map(line).reduce(|| 0, add))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::verify::{Brute, Sat};

    #[test]
    fn as_defined() {
        for window in [0, 1, 5, 14] {
            let values: Vec<u8> = (0..1u64 << window).map(|m| (m * m % 251) as u8).collect();
            let expected = Digest::of_masks(values.iter().map(|v| u64::from(*v)));
            let rules = Rules::Brute(Brute { window });
            assert_eq!(digests(&rules, &Cells::U8(values)), [expected], "window {window}");
        }
        let sat = Sat::new(3, 4, 3, 9);
        let values: Vec<u16> = (0..126).map(|i| i * i % 997).collect();
        let mut by_mask = vec![None; 1 << 9];
        (0u64..).zip(&values).for_each(|(cell, value)| by_mask[sat.coins(cell) as usize] = Some(*value));
        let expected = by_mask.iter().zip(0u64..).filter_map(|(value, mask)| Some((*value.as_ref()?, mask)));
        let sum = expected.fold(0, |sum, (value, mask)| {
            add(sum, mul(u64::from(value) + 1, crate::record::digest::weight(mask, |a| a)))
        });
        assert_eq!(digests(&Rules::Sat(sat), &Cells::U16(values)), [Digest(sum)]);

        let pass = Pass::new(2, &[3, 4, 5]);
        let values: Vec<u32> = (0..120).map(|i| i * 77 % 101).collect();
        let told = digests(&Rules::Pass(pass.clone()), &Cells::U32(values.clone()));
        for (layer, told) in (0u64..2).zip(told) {
            let sum = (0..60).fold(0, |sum, at| {
                let (piles, passes) = pass.piles(60 * layer + at);
                assert_eq!(passes, layer);
                let term =
                    (0..).zip(piles).fold(u64::from(values[(60 * layer + at) as usize]) + 1, |term, (i, pile)| {
                        (0..pile).fold(term, |term, _| mul(term, q(i)))
                    });
                add(sum, term)
            });
            assert_eq!(told, Digest(sum), "layer {layer}");
        }
    }
}
