//! A table of a saturation against `b_p`: the first difference, the greatest value, the digest.

use rayon::prelude::*;

use super::{Difference, FormulaCheck};
use crate::Position;
use crate::index::colex::{self, Colex};
use crate::index::sums::Sums;
use crate::plan::options::Part;
use crate::record::digest::{self, Digest};
use crate::theory::digits;

/// Ranks that one thread takes at a time.
const CHUNK: usize = 1 << 13;

/// Counts of differences, level by level.
#[derive(Clone, Debug)]
pub struct Differences {
    by_level: Vec<u64>,
    checked: u64,
}

impl Differences {
    /// Nothing yet.
    pub fn new(levels: u32) -> Self {
        Self { by_level: vec![0; levels as usize], checked: 0 }
    }

    /// Takes in what a backend found in a batch.
    pub fn absorb(&mut self, batch: &[Part], differ: &[u64]) {
        for (part, differ) in batch.iter().zip(differ) {
            self.by_level[part.level as usize] += differ;
            self.checked += part.count;
        }
    }

    /// The verdict, with the first difference found again in the table by the closed form.
    ///
    /// # Errors
    /// Says so if the table does not show as many differences in that level as the backend counted.
    pub fn verdict(&self, p: u64, sums: &Sums, colex: &Colex, table: &[u16]) -> Result<FormulaCheck, String> {
        let differ = self.by_level.iter().sum();
        let mut check = FormulaCheck { checked: self.checked, differ, first: None };
        let Some(level) = self.by_level.iter().position(|n| *n > 0) else {
            return Ok(check);
        };
        let mut shown = 0;
        for i in 0..sums.size(level as u32) {
            let position = Position(sums.unrank(level as u32, i));
            let value = u64::from(table[colex.rank(position.mask()) as usize]);
            let formula = digits::value(p, &position.coins());
            if value != formula {
                shown += 1;
                check.consider(Difference { position, value, formula });
            }
        }
        if shown != self.by_level[level] {
            return Err(format!("{} differences in level {level}, but {shown} in the table", self.by_level[level]));
        }
        Ok(check)
    }
}

/// The digest of a table in colex order, as [`Digest`] defines it, over the positions with so many coins.
pub fn digest(colex: &Colex, table: &[u16]) -> Digest {
    let q: Vec<u64> = (0..64).map(digest::q).collect();
    let sum = (table.par_chunks(CHUNK).enumerate())
        .map(|(chunk, values)| {
            let mut mask = colex.unrank((chunk * CHUNK) as u64);
            values.iter().fold(0, |sum, value| {
                let (mut term, mut left) = (u64::from(*value) + 1, mask);
                while left != 0 {
                    term = digest::mul(term, q[left.trailing_zeros() as usize]);
                    left &= left - 1;
                }
                mask = colex::next(mask);
                digest::add(sum, term)
            })
        })
        .reduce(|| 0, digest::add);
    Digest(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_masks() {
        for (window, coins) in [(16, 8), (9, 0), (5, 5), (17, 7)] {
            let colex = Colex::new(window, coins);
            let table: Vec<u16> = (0..colex.positions()).map(|rank| (rank * rank % 997) as u16).collect();
            let expected = (0u64..).zip(&table).fold(0, |sum, (rank, value)| {
                let weight = digest::weight(colex.unrank(rank), |a| a);
                digest::add(sum, digest::mul(u64::from(*value) + 1, weight))
            });
            assert_eq!(digest(&colex, &table), Digest(expected));
        }
    }
}
