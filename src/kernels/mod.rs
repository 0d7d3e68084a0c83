//! The CPU kernels: twins of the shaders in `shaders/`, one file each, same stem, same arguments in the same order.
//!
//! A shader's workgroup takes one tile; a kernel's call takes a *group* of [`LANES`] tiles that are alike in shape and
//! level, so that the compiler keeps one tile in each vector lane. Values of a group are interleaved: rank `r` of lane
//! `w` is at `r * LANES + w`. Each kernel is compiled for AVX2 too, and chosen when the machine has it.

pub mod base_p;
pub mod cells;
pub mod digit;
pub mod full;
pub mod hook;
pub mod layer;
pub mod mex;
pub mod msg;
pub mod options;
pub mod pass;
pub mod rows;
pub mod subset;
pub mod tally;
pub mod values;
pub mod verify;
mod verify_brute;
mod verify_pass;
mod verify_sat;
pub mod walks;
pub mod welter;

use crate::index::low::{LIMBS, LowTables};
use crate::index::tiles::Tile;

/// Tiles in a group.
pub const LANES: usize = 8;

/// Values that a word of seen values can hold: every value is below this.
pub const VALUES: usize = 64;

/// The formulas, in the order of [`Verdict::differ`].
pub const FORMULAS: [&str; 3] = ["welter", "hook", "digit"];

/// What the checking kernels say of one tile.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Verdict {
    /// Positions where the value differs from each formula.
    pub differ: [u32; 3],
    /// The first of them, packed by [`first`]; `u32::MAX` if there is none.
    pub first: [u32; 3],
    /// Sums of `(value + 1) * limb` of the digest's weights.
    pub sums: [u32; LIMBS],
    /// The same for the mirrored positions.
    pub mirrors: [u32; LIMBS],
    /// Fills up 64 bytes.
    pub unused: [u32; 2],
}

impl Default for Verdict {
    fn default() -> Self {
        Self { differ: [0; 3], first: [u32::MAX; 3], sums: [0; LIMBS], mirrors: [0; LIMBS], unused: [0; 2] }
    }
}

/// Packs a difference so that the least number is the first in the order of reports.
#[inline(always)]
pub fn first(report: u32, value: u8, formula: u8) -> u32 {
    report << 16 | u32::from(value) << 8 | u32::from(formula)
}

/// The place in the order of reports, the value and the formula's value of a packed difference.
pub fn unpack_first(first: u32) -> (u32, u8, u8) {
    (first >> 16, (first >> 8) as u8, first as u8)
}

/// Sets one formula's verdict on a group: `formula(rank)` gives what it says of the eight tiles, a byte each.
#[inline(always)]
fn compare(
    which: usize,
    low: &LowTables,
    tiles: &[Tile],
    values: &[u8],
    verdicts: &mut [Verdict],
    formula: impl Fn(usize, usize) -> [u8; LANES],
) {
    let j = (tiles[0].coins - tiles[0].high.count_ones()) as usize;
    let class = low.class[j] as usize;
    for (rank, value) in values.as_chunks::<LANES>().0.iter().take(low.class_size(j as u32)).enumerate() {
        let said = formula(class + rank, rank);
        if said != *value {
            for lane in 0..LANES {
                if said[lane] != value[lane] {
                    let mut report = low.report[class + rank];
                    if report < 2 && tiles[lane].high == 0 {
                        report ^= 1; // with no coin above, {} comes before {0}
                    }
                    let verdict = &mut verdicts[lane];
                    verdict.differ[which] += 1;
                    verdict.first[which] = verdict.first[which].min(first(report, value[lane], said[lane]));
                }
            }
        }
    }
}

/// XORs over subsets of the low squares, split so that two small tables replace one large one: `table(f)` makes them
/// from what each low square gives, and the XOR over a mask `m` is `least[m % 64] ^ rest[m / 64]`.
struct SubsetXor {
    least: [[u8; LANES]; 64],
    rest: [[u8; LANES]; 64],
}

impl SubsetXor {
    #[inline(always)]
    fn new(low: u32, square: impl Fn(u32, usize) -> u8) -> Self {
        let mut tables = Self { least: [[0; LANES]; 64], rest: [[0; LANES]; 64] };
        for (table, from) in [(&mut tables.least, 0), (&mut tables.rest, 6)] {
            for a in 0..6.min(low.saturating_sub(from)) {
                let gives: [u8; LANES] = std::array::from_fn(|lane| square(from + a, lane));
                for m in 0..1 << a {
                    table[m | 1 << a] = xor(table[m], gives);
                }
            }
        }
        tables
    }

    #[inline(always)]
    fn of(&self, mask: u32) -> [u8; LANES] {
        xor(self.least[(mask & 63) as usize], self.rest[(mask >> 6 & 63) as usize])
    }
}

#[inline(always)]
fn xor(a: [u8; LANES], b: [u8; LANES]) -> [u8; LANES] {
    (u64::from_ne_bytes(a) ^ u64::from_ne_bytes(b)).to_ne_bytes()
}

/// The set bits of a mask, least first.
#[inline(always)]
fn bits(mask: u32) -> impl Iterator<Item = u32> {
    let mut left = mask;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let a = left.trailing_zeros();
            left &= left - 1;
            a
        })
    })
}

/// The sum of the set bits' places.
pub fn bits_sum(mask: u64) -> u64 {
    let mut left = mask;
    let mut sum = 0;
    while left != 0 {
        sum += u64::from(left.trailing_zeros());
        left &= left - 1;
    }
    sum
}

/// `N(d) = d XOR (d - 1)`, `d > 0`: the kernels' own, so that an error in [`crate::theory`] cannot hide here.
#[inline(always)]
fn n_of(d: u32) -> u32 {
    d ^ (d - 1)
}
