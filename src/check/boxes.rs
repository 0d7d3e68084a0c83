//! A layer of a box of Nim with passes against what is known: every cell, in parallel. The proofs are in `docs/NIM.md`.
//!
//! The checks read the finished table on the host, whatever solved it, so that they also see a table that was spoilt on its
//! way back from a device.

use rayon::prelude::*;

use crate::index::boxes;
use crate::kernels::layer::{Cell, Values, with_values};
use crate::theory::nim_pass as theory;

/// One cell where a check fails.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Exception {
    /// Passes left.
    pub passes_left: u32,
    /// The piles; for the theorem of the next pile, with that pile last.
    pub position: Vec<u32>,
    /// Its value in the table.
    pub value: u64,
    /// What it disagrees with, in words.
    pub against: String,
}

impl Exception {
    fn key(&self) -> (u32, u64, &[u32]) {
        (self.passes_left, self.position.iter().map(|pile| u64::from(*pile)).sum(), &self.position)
    }
}

/// What a check found, over one layer or all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// Comparisons made.
    pub checked: u64,
    /// Those that failed.
    pub differ: u64,
    /// The first that failed: fewest passes, then least sum of piles, then lexicographically least.
    pub first: Option<Exception>,
}

impl Check {
    /// Takes in what the same check found elsewhere.
    pub fn absorb(&mut self, other: Self) {
        self.checked += other.checked;
        self.differ += other.differ;
        self.first = match (self.first.take(), other.first) {
            (Some(a), Some(b)) => Some(if b.key() < a.key() { b } else { a }),
            (a, b) => a.or(b),
        };
    }
}

/// How many failed, and of these the one with the least key.
#[derive(Clone, Copy)]
struct Found {
    differ: u64,
    first: Option<(u64, u64)>,
}

const NOTHING: Found = Found { differ: 0, first: None };

impl Found {
    #[inline(always)]
    fn note(&mut self, sum: u64, cell: u64) {
        self.differ += 1;
        if self.first.is_none_or(|first| (sum, cell) < first) {
            self.first = Some((sum, cell));
        }
    }

    fn join(self, other: Self) -> Self {
        let first = match (self.first, other.first) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Found { differ: self.differ + other.differ, first }
    }

    fn check(self, checked: u64, exception: impl FnOnce(u64) -> Exception) -> Check {
        Check { checked, differ: self.differ, first: self.first.map(|(_, cell)| exception(cell)) }
    }
}

/// One layer of a box.
#[derive(Clone, Copy)]
pub struct Layer<'a> {
    /// One more than the greatest value of each pile.
    pub sides: &'a [u64],
    /// Passes left.
    pub passes_left: u32,
    /// The values.
    pub values: &'a Values,
}

impl Layer<'_> {
    fn cells(&self) -> u64 {
        self.values.len() as u64
    }

    fn sum(&self, cell: u64) -> u64 {
        boxes::piles(self.sides, cell).iter().map(|pile| u64::from(*pile)).sum()
    }

    fn exception(&self, cell: u64, against: impl FnOnce(&[u32]) -> String) -> Exception {
        let position = boxes::piles(self.sides, cell);
        let against = against(&position);
        Exception { passes_left: self.passes_left, position, value: self.values.get(cell), against }
    }

    /// P-positions and the greatest value.
    pub fn tally(&self) -> (u64, u64) {
        with_values!(self.values, v => v
            .par_chunks(1 << 14)
            .map(|chunk| {
                let zeros = chunk.iter().filter(|v| v.get() == 0).count() as u64;
                (zeros, chunk.iter().map(|v| v.get()).max().unwrap_or(0))
            })
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1.max(b.1))))
    }

    /// No pass: the XOR of the piles.
    pub fn xor(&self) -> Check {
        let side = self.sides.last().copied().unwrap_or(1);
        let outer = &self.sides[..self.sides.len().saturating_sub(1)];
        let found = with_values!(self.values, v => v
            .par_chunks(side as usize)
            .enumerate()
            .with_min_len(16)
            .map(|(number, line)| {
                let piles = boxes::piles(outer, number as u64);
                let xor = theory::nim(&piles);
                let mut found = NOTHING;
                for (x, value) in (0u64..).zip(line) {
                    if value.get() != xor ^ x {
                        let cell = number as u64 * side + x;
                        found.note(self.sum(cell), cell);
                    }
                }
                found
            })
            .reduce(|| NOTHING, Found::join));
        found.check(self.cells(), |cell| {
            self.exception(cell, |piles| format!("the XOR of the piles is {}", theory::nim(piles)))
        })
    }

    /// Two passes more change nothing: against the layer two below.
    pub fn parity(&self, two_below: &Values) -> Check {
        let found = match (self.values, two_below) {
            (Values::U16(v), Values::U16(w)) => self.compare(v, w),
            (Values::U32(v), Values::U32(w)) => self.compare(v, w),
            _ => unreachable!("layers of one box are of one width"),
        };
        found.check(self.cells(), |cell| {
            self.exception(cell, |_| format!("{} with {} passes left", two_below.get(cell), self.passes_left - 2))
        })
    }

    fn compare<T: Cell>(&self, v: &[T], w: &[T]) -> Found {
        const CHUNK: usize = 1 << 14;
        v.par_chunks(CHUNK)
            .zip(w.par_chunks(CHUNK))
            .enumerate()
            .map(|(number, (v, w))| {
                let mut found = NOTHING;
                for (at, (v, w)) in (0..).zip(v.iter().zip(w)) {
                    if v.get() != w.get() {
                        let cell = (number * CHUNK) as u64 + at;
                        found.note(self.sum(cell), cell);
                    }
                }
                found
            })
            .reduce(|| NOTHING, Found::join)
    }

    /// Cells with at most one pile: the value in closed form; cells with at most two: whether they are P-positions.
    pub fn few_piles(&self) -> (Check, Check) {
        let (mut one, mut two) = ((0, NOTHING), (0, NOTHING));
        let r = self.sides.len();
        let strides: Vec<u64> = (0..r).map(|i| self.sides[i + 1..].iter().product()).collect();
        let mut single = |cell: u64, pile: u64| {
            one.0 += 1;
            if self.values.get(cell) != theory::one_pile(pile as u32, self.passes_left) {
                one.1.note(pile, cell);
            }
        };
        single(0, 0);
        for (&side, stride) in self.sides.iter().zip(&strides) {
            (1..side).for_each(|pile| single(pile * stride, pile));
        }
        let mut pair = |cell: u64, x: u64, y: u64| {
            two.0 += 1;
            if (self.values.get(cell) == 0) != theory::two_piles_lose(x as u32, y as u32, self.passes_left) {
                two.1.note(x + y, cell);
            }
        };
        pair(0, 0, 0);
        let axes: Vec<(u64, u64)> = self.sides.iter().copied().zip(strides.iter().copied()).collect();
        for (i, &(side, stride)) in axes.iter().enumerate() {
            (1..side).for_each(|x| pair(x * stride, x, 0));
            for &(other, other_stride) in &axes[i + 1..] {
                for x in 1..side {
                    (1..other).for_each(|y| pair(x * stride + y * other_stride, x, y));
                }
            }
        }
        let one_pile = one.1.check(one.0, |cell| {
            self.exception(cell, |piles| {
                let pile = piles.iter().sum();
                format!("one pile of {pile} has value {}", theory::one_pile(pile, self.passes_left))
            })
        });
        let two_piles = two.1.check(two.0, |cell| {
            self.exception(cell, |_| {
                format!("two piles are {}a P-position", if self.values.get(cell) == 0 { "not " } else { "" })
            })
        });
        (one_pile, two_piles)
    }

    /// Swapping two neighbouring piles changes no value; these swaps generate all permutations. For equal sides.
    pub fn permutation(&self) -> Check {
        let r = self.sides.len();
        let mut all = Check::default();
        for i in 0..r.saturating_sub(1) {
            let side = self.sides[i];
            let stride: u64 = self.sides[i + 2..].iter().product();
            let plane = side * side * stride;
            let found = with_values!(self.values, v => v
                .par_chunks(plane as usize)
                .enumerate()
                .flat_map(|(number, plane)| (0..side.div_ceil(TILE)).into_par_iter().map(move |a| (number, plane, a * TILE)))
                .map(|(number, values, from)| {
                    let mut found = NOTHING;
                    // Tile by tile, so that the swapped cells stay in cache.
                    for tile in (from..side).step_by(TILE as usize) {
                        for a in from..(from + TILE).min(side) {
                            for b in tile.max(a + 1)..(tile + TILE).min(side) {
                                let (at, swapped) = ((a * side + b) * stride, (b * side + a) * stride);
                                let own = &values[at as usize..(at + stride) as usize];
                                let other = &values[swapped as usize..(swapped + stride) as usize];
                                for (rest, (v, w)) in (0..).zip(own.iter().zip(other)) {
                                    if v.get() != w.get() {
                                        let cell = number as u64 * plane + at + rest;
                                        found.note(self.sum(cell), cell);
                                    }
                                }
                            }
                        }
                    }
                    found
                })
                .reduce(|| NOTHING, Found::join));
            // Each pair of cells is compared once; a cell on the diagonal is its own image.
            all.absorb(found.check(self.cells(), |cell| {
                let mut swapped = boxes::piles(self.sides, cell);
                swapped.swap(i, i + 1);
                let value = self.values.get(boxes::cell(self.sides, &swapped));
                self.exception(cell, |_| format!("{} has value {value}", show(&swapped)))
            }));
        }
        all
    }

    /// No value twice on a line: of two cells on a line one is an option of the other.
    pub fn latin(&self, bound: u64) -> Check {
        let mut all = Check::default();
        let words = (bound / 64 + 1) as usize;
        for i in 0..self.sides.len() {
            let side = self.sides[i];
            let stride: u64 = self.sides[i + 1..].iter().product();
            let plane = side * stride;
            let parts = stride.div_ceil(LINES);
            let found = with_values!(self.values, v => v
                .par_chunks(plane as usize)
                .enumerate()
                .flat_map(|(number, plane)| (0..parts).into_par_iter().map(move |part| (number, plane, part * LINES)))
                .map_init(Vec::new, |seen: &mut Vec<u64>, (number, values, from)| {
                    // Some neighbouring lines at once, so that memory is read in order.
                    let mut found = NOTHING;
                    let lines = LINES.min(stride - from) as usize;
                    seen.clear();
                    seen.resize(lines * words, 0);
                    for a in 0..side {
                        let at = a * stride + from;
                        for (line, value) in values[at as usize..][..lines].iter().enumerate() {
                            let value = value.get() as usize;
                            let bit = 1u64 << (value % 64);
                            // A value above the bound is out of its line too.
                            let word = seen[line * words..(line + 1) * words].get_mut(value / 64);
                            if word.as_ref().is_none_or(|word| **word & bit != 0) {
                                let cell = number as u64 * plane + at + line as u64;
                                found.note(self.sum(cell), cell);
                            }
                            if let Some(word) = word {
                                *word |= bit;
                            }
                        }
                    }
                    found
                })
                .reduce(|| NOTHING, Found::join));
            all.absorb(found.check(self.cells(), |cell| {
                let value = self.values.get(cell);
                let place = cell / stride % side;
                let twin = (0..place).map(|a| cell - (place - a) * stride).find(|twin| self.values.get(*twin) == value);
                self.exception(cell, |_| match twin {
                    Some(twin) => format!("{} on the same line has it too", show(&boxes::piles(self.sides, twin))),
                    None => format!("no value is above {bound}"),
                })
            }));
        }
        all
    }

    /// The theorem of the next pile within one box: the last pile against the box without it, which is the part of this
    /// one where the last pile is empty. `z = g(x)` iff `g(x, z) = 0`, for every `x` and every `z` below the last side.
    pub fn last_pile(&self) -> Check {
        let Some((side, outer)) = self.sides.split_last() else { return Check::default() };
        let without = |line: u64| self.values.get(line * side);
        next_pile(outer, self, without)
    }

    /// The theorem of the next pile between two boxes: this one, and `next` with one pile more.
    pub fn next_pile(&self, next: &Values) -> Check {
        let mut sides = self.sides.to_vec();
        sides.push(next.len() as u64 / self.cells());
        let with = Layer { sides: &sides, passes_left: self.passes_left, values: next };
        next_pile(self.sides, &with, |cell| self.values.get(cell))
    }
}

/// Cells of a tile in one direction.
const TILE: u64 = 32;
/// Lines taken together.
const LINES: u64 = 64;

fn next_pile(outer: &[u64], with: &Layer<'_>, without: impl Fn(u64) -> u64 + Sync) -> Check {
    let side = *with.sides.last().expect("one pile more");
    let found = with_values!(with.values, v => v
        .par_chunks(side as usize)
        .enumerate()
        .with_min_len(16)
        .map(|(number, line)| {
            let value = without(number as u64);
            let mut found = NOTHING;
            for (z, with) in (0u64..).zip(line) {
                if (with.get() == 0) != (z == value) {
                    let sum: u64 = boxes::piles(outer, number as u64).iter().map(|pile| u64::from(*pile)).sum();
                    found.note(sum + z, number as u64 * side + z);
                }
            }
            found
        })
        .reduce(|| NOTHING, Found::join));
    found.check(with.cells(), |cell| {
        with.exception(cell, |piles| {
            let (_, rest) = piles.split_last().expect("one pile more");
            format!("{} has value {}", show(rest), without(cell / side))
        })
    })
}

/// `(7,4,2)`
pub fn show(piles: &[u32]) -> String {
    let piles: Vec<String> = piles.iter().map(u32::to_string).collect();
    format!("({})", piles.join(","))
}
