//! What the kernels' verdicts mean: differences from the formulas, counts of values, the digest, the mirror symmetry.

pub mod saturation;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Position;
use crate::backend::{Findings, WindowSetup};
use crate::index::low::from_limbs;
use crate::index::tiles::{Batch, Tile};
use crate::kernels::{FORMULAS, VALUES, unpack_first};
use crate::record::digest::{self, Digest};

/// One position where the table and a formula disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The position.
    pub position: Position,
    /// Its value in the table.
    pub value: u64,
    /// What the formula says.
    pub formula: u64,
}

/// One formula compared with the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormulaCheck {
    /// Positions compared.
    pub checked: u64,
    /// Positions that differ.
    pub differ: u64,
    /// The first that differs: least coin sum, then lexicographically least.
    pub first: Option<Difference>,
}

impl FormulaCheck {
    /// Takes in one difference's candidate for the first.
    pub fn consider(&mut self, found: Difference) {
        let earlier = |held: Difference| found.position.report_order(held.position).is_lt();
        if self.first.is_none_or(earlier) {
            self.first = Some(found);
        }
    }
}

/// The mirror symmetry (reverse the window and swap coins with empty squares: the diagram is transposed, so the value
/// stays), checked for each number of coins `c`: the digest of all positions with `c` coins, mirrored, must be the
/// digest of all positions with `window - c` coins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorCheck {
    /// Positions compared, each with its mirror image.
    pub checked: u64,
    /// Numbers of coins whose digests disagree.
    pub differ: u64,
}

/// Everything told about the positions with one number of coins: they are solved apart from all others, so this is also
/// what a checkpoint keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gathered {
    /// How often each value occurs.
    pub histogram: Vec<u64>,
    /// The formulas, in the order of [`FORMULAS`].
    pub formulas: [FormulaCheck; FORMULAS.len()],
    /// Their part of the digest.
    pub digest: u64,
    /// The digest of their mirror images.
    pub mirror: u64,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { histogram: vec![0; VALUES], formulas: Default::default(), digest: 0, mirror: 0 }
    }
}

/// Everything told about a window, gathered batch by batch in any order; one entry for each number of coins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowGathered {
    /// See [`WindowGathered`].
    pub coins: Vec<Gathered>,
}

impl WindowGathered {
    /// Nothing yet.
    pub fn new(window: u32) -> Self {
        Self { coins: vec![Gathered::default(); window as usize + 1] }
    }

    /// Takes in what a backend found in a batch of the band that begins at `first` coins.
    ///
    /// # Errors
    /// Says so if the values counted are not as many as the batch has positions.
    pub fn absorb(
        &mut self,
        setup: &WindowSetup,
        first: u32,
        batch: &Batch,
        findings: &Findings,
    ) -> Result<(), String> {
        let counted: u64 = findings.histogram.iter().flatten().sum();
        if counted != batch.positions {
            return Err(format!("{counted} values came back for {} positions", batch.positions));
        }
        for (own, histogram) in self.coins[first as usize..].iter_mut().zip(&findings.histogram) {
            for (total, n) in own.histogram.iter_mut().zip(histogram) {
                *total += n;
            }
            for check in &mut own.formulas {
                check.checked += histogram.iter().sum::<u64>();
            }
        }
        self.absorb_differences(setup, batch, findings);

        let weights = HighWeights::new(setup);
        let zero = || vec![[0u64; 2]; self.coins.len()];
        let sums = (batch.tiles.par_iter().zip(&findings.verdicts))
            .with_min_len(1 << 12)
            .filter(|(tile, _)| tile.live == 1)
            .fold(zero, |mut sums, (tile, verdict)| {
                let [plain, mirror] = weights.of(tile.high);
                let sum = &mut sums[tile.coins as usize];
                sum[0] = digest::add(sum[0], digest::mul(plain, from_limbs(&verdict.sums)));
                sum[1] = digest::add(sum[1], digest::mul(mirror, from_limbs(&verdict.mirrors)));
                sums
            })
            .reduce(zero, |a, b| {
                a.iter().zip(&b).map(|(a, b)| [digest::add(a[0], b[0]), digest::add(a[1], b[1])]).collect()
            });
        for (own, [plain, mirror]) in self.coins.iter_mut().zip(sums) {
            own.digest = digest::add(own.digest, plain);
            own.mirror = digest::add(own.mirror, mirror);
        }
        Ok(())
    }

    fn absorb_differences(&mut self, setup: &WindowSetup, batch: &Batch, findings: &Findings) {
        let low = &setup.low;
        let position = |tile: &Tile, report: u32| {
            // The order of reports swaps {} and {0} where no coin is above (see `LowTables::report`).
            let report = if report < 2 && tile.high == 0 { report ^ 1 } else { report };
            let low_mask = low.reported.get(report as usize).copied().unwrap_or(0);
            Position(u64::from(tile.high) << low.low | u64::from(low_mask))
        };
        for (tile, verdict) in batch.tiles.iter().zip(&findings.verdicts).filter(|(tile, _)| tile.live == 1) {
            for (which, check) in self.coins[tile.coins as usize].formulas.iter_mut().enumerate() {
                if verdict.differ[which] > 0 {
                    check.differ += u64::from(verdict.differ[which]);
                    let (report, value, formula) = unpack_first(verdict.first[which]);
                    check.consider(Difference {
                        position: position(tile, report),
                        value: value.into(),
                        formula: formula.into(),
                    });
                }
            }
        }
    }

    /// The formulas over all numbers of coins, in the order of [`FORMULAS`].
    pub fn formulas(&self) -> [FormulaCheck; FORMULAS.len()] {
        let mut all: [FormulaCheck; FORMULAS.len()] = Default::default();
        for (which, total) in all.iter_mut().enumerate() {
            for own in self.coins.iter().map(|own| own.formulas[which]) {
                total.checked += own.checked;
                total.differ += own.differ;
                if let Some(first) = own.first {
                    total.consider(first);
                }
            }
        }
        all
    }

    /// P-positions by number of coins.
    pub fn p_positions(&self) -> Vec<u64> {
        self.coins.iter().map(|own| own.histogram[0]).collect()
    }

    /// How often each value occurs, up to the largest.
    pub fn value_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; VALUES];
        for own in &self.coins {
            for (total, n) in counts.iter_mut().zip(&own.histogram) {
                *total += n;
            }
        }
        while counts.len() > 1 && counts.last() == Some(&0) {
            counts.pop();
        }
        counts
    }

    /// The digest of the whole table.
    pub fn digest(&self) -> Digest {
        Digest(self.coins.iter().fold(0, |sum, own| digest::add(sum, own.digest)))
    }

    /// The mirror symmetry.
    pub fn mirror(&self) -> MirrorCheck {
        let images = self.coins.iter().rev();
        MirrorCheck {
            checked: self.coins.iter().flat_map(|own| &own.histogram).sum(),
            differ: self.coins.iter().zip(images).filter(|(own, image)| own.digest != image.mirror).count() as u64,
        }
    }
}

/// The digest's weight of a high mask, plain and mirrored, from tables of half its squares each.
struct HighWeights {
    half: u32,
    halves: [Vec<[u64; 2]>; 2],
}

impl HighWeights {
    fn new(setup: &WindowSetup) -> Self {
        let (low, high, window) = (setup.low.low, setup.high.high, setup.plan.window);
        let half = high / 2;
        let table = |from: u32, squares: u32| {
            let all = (1u64 << squares) - 1;
            let weigh = |mask: u64| {
                [
                    digest::weight(mask, |a| low + from + a),
                    digest::weight(!mask & all, |a| window - 1 - (low + from + a)),
                ]
            };
            (0..=all).map(weigh).collect()
        };
        Self { half, halves: [table(0, half), table(half, high - half)] }
    }

    fn of(&self, mask: u32) -> [u64; 2] {
        let below = self.halves[0][(mask & ((1 << self.half) - 1)) as usize];
        let above = self.halves[1][(mask >> self.half) as usize];
        [digest::mul(below[0], above[0]), digest::mul(below[1], above[1])]
    }
}
