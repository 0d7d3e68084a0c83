//! Boxes: positions of piles `x_1, ..., x_r` with each `x_i` below its side, numbered in C order (last pile fastest).
//!
//! A *line* of axis `i` is all cells that differ only in pile `i`. A *level* is all cells with the same sum of piles. Two
//! cells of one level share no line: on a line only one pile varies, so equal sums make them equal. The same holds for
//! *blocks*, boxes of cells cut by a grid, with block coordinates in place of piles: blocks of one level touch disjoint
//! lines, and every move leads into the same block or one of an earlier level.

use std::ops::Range;

/// The most axes: what a NumPy array may have.
pub const MAX_AXES: usize = 32;

/// One axis of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// How many values the pile takes.
    pub side: u64,
    /// How far apart neighbours on a line are.
    pub stride: u64,
    /// `side * stride`: after so many cells the lines are others.
    pub span: u64,
    /// The number of the axis's first row.
    pub first_row: u64,
}

/// A box, its axes and its lines. Piles that can only be empty are no axes here; that does not change the numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// At least one axis, at most [`MAX_AXES`].
    pub axes: Vec<Axis>,
    /// Number of cells.
    pub cells: u64,
    /// Number of lines, all axes together; each has a row.
    pub rows: u64,
    /// The cell with all piles empty, where no pass is allowed.
    pub over: u64,
}

/// Number of cells of a box and of its lines; saturates at the greatest number, which no memory holds.
pub fn size(sides: impl Iterator<Item = u64> + Clone) -> (u128, u128) {
    let cells = sides.clone().fold(1u128, |cells, side| cells.saturating_mul(side.into()));
    let rows = sides.filter(|side| *side > 1).map(|side| cells / u128::from(side));
    (cells, rows.fold(0u128, u128::saturating_add).max(1))
}

impl Grid {
    /// The box with these sides, all positive, whose cells fit a `u64`.
    pub fn new(sides: &[u64]) -> Self {
        let mut sides: Vec<u64> = sides.iter().copied().filter(|side| *side > 1).collect();
        if sides.is_empty() {
            sides.push(1);
        }
        assert!(sides.len() <= MAX_AXES, "plan: too many axes");
        let cells: u64 = sides.iter().product();
        let (mut stride, mut first_row) = (cells, 0);
        let axes = sides
            .iter()
            .map(|&side| {
                stride /= side;
                let axis = Axis { side, stride, span: side * stride, first_row };
                first_row += cells / side;
                axis
            })
            .collect();
        Self { axes, cells, rows: first_row, over: 0 }
    }

    /// The row of the line of axis `i` through a cell.
    #[inline(always)]
    pub fn row(&self, i: usize, cell: u64) -> u64 {
        let axis = &self.axes[i];
        axis.first_row + cell / axis.span * axis.stride + cell % axis.stride
    }

    /// The greatest sum of piles.
    pub fn last_level(&self) -> u64 {
        self.axes.iter().map(|axis| axis.side - 1).sum()
    }

    /// Forgets the moves of the first pile: each cell gets a row of its own on that axis. A bug for tests.
    pub fn forget_a_pile(&mut self) {
        let axis = &mut self.axes[0];
        axis.first_row = self.rows;
        axis.span = axis.stride;
        self.rows += self.cells;
    }
}

/// The piles of a cell of a box with these sides.
pub fn piles(sides: &[u64], mut cell: u64) -> Vec<u32> {
    let mut piles = vec![0; sides.len()];
    for (pile, side) in piles.iter_mut().zip(sides).rev() {
        *pile = (cell % side) as u32;
        cell /= side;
    }
    piles
}

/// The cell of these piles.
pub fn cell(sides: &[u64], piles: &[u32]) -> u64 {
    piles.iter().zip(sides).fold(0, |cell, (pile, side)| cell * side + u64::from(*pile))
}

/// A box cut into blocks, in levels.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The sides of a block; those at the far ends may be shorter.
    pub shape: Vec<u64>,
    counts: Vec<u64>,
    order: Vec<u64>,
    /// The blocks of each level, as places in the order.
    pub levels: Vec<Range<usize>>,
}

/// Cells in a block at most: its rows and cells then stay in a second-level cache.
const MOST_CELLS: u64 = 4096;
/// Cells in a block at least, where the box is large enough: fewer would not be worth a task.
const LEAST_CELLS: u64 = 64;
/// Blocks in a box at least, where it is large enough, so that levels are wide.
const BLOCKS: u64 = 256;

impl Blocks {
    /// Cuts a box.
    pub fn new(grid: &Grid) -> Self {
        let mut left = (grid.cells / BLOCKS).clamp(LEAST_CELLS, MOST_CELLS);
        let mut shape = vec![1; grid.axes.len()];
        for (i, axis) in grid.axes.iter().enumerate().rev() {
            let root = (1u64..).find(|b| b.saturating_pow(i as u32 + 1) >= left).expect("a root");
            shape[i] = root.min(axis.side);
            left = left.div_ceil(shape[i]);
        }
        let counts: Vec<u64> = grid.axes.iter().zip(&shape).map(|(axis, b)| axis.side.div_ceil(*b)).collect();
        let blocks: u64 = counts.iter().product();
        let level = |mut block: u64| {
            let mut level = 0;
            for count in counts.iter().rev() {
                level += (block % count) as usize;
                block /= count;
            }
            level
        };
        // Counting sort.
        let mut ends = vec![0usize; counts.iter().map(|count| *count as usize - 1).sum::<usize>() + 2];
        (0..blocks).for_each(|block| ends[level(block) + 1] += 1);
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        let levels = ends.windows(2).map(|ends| ends[0]..ends[1]).collect();
        let mut order = vec![0; blocks as usize];
        for block in 0..blocks {
            let place = &mut ends[level(block)];
            order[*place] = block;
            *place += 1;
        }
        Self { shape, counts, order, levels }
    }

    /// The piles of a block, from its place in the order: least and one more than greatest.
    pub fn bounds(&self, grid: &Grid, place: usize) -> ([u64; MAX_AXES], [u64; MAX_AXES]) {
        let (mut from, mut to) = ([0; MAX_AXES], [0; MAX_AXES]);
        let mut block = self.order[place];
        for (i, count) in self.counts.iter().enumerate().rev() {
            from[i] = block % count * self.shape[i];
            to[i] = (from[i] + self.shape[i]).min(grid.axes[i].side);
            block /= count;
        }
        (from, to)
    }

    /// Bytes held for a box of so many cells: one number a block.
    pub fn bytes(cells: u128) -> u128 {
        // A block holds at least half the cells it aims for in each axis but short ones; 64 is the least aim.
        cells
            .div_ceil(LEAST_CELLS.into())
            .saturating_mul(16)
            .min(cells.saturating_mul(8))
            .min(cells.div_ceil(u128::from(MOST_CELLS) / 4).saturating_add(u128::from(BLOCKS) * 64).saturating_mul(16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [&[u64]; 9] =
        [&[], &[1], &[7], &[1, 5, 1], &[4, 6], &[3, 4, 5], &[70, 80], &[2, 2, 2, 2, 2, 2, 2, 2, 2, 2], &[20, 30, 40]];

    #[test]
    fn cells_and_piles_correspond() {
        for sides in SHAPES {
            let grid = Grid::new(sides);
            for c in 0..grid.cells {
                assert_eq!(cell(sides, &piles(sides, c)), c);
            }
            let (cells, rows) = size(sides.iter().copied());
            assert_eq!((cells, rows), (grid.cells.into(), grid.rows.into()));
        }
    }

    #[test]
    fn rows_are_the_lines() {
        let sides = [3u64, 4, 5];
        let grid = Grid::new(&sides);
        for a in 0..grid.cells {
            for b in 0..grid.cells {
                let (x, y) = (piles(&sides, a), piles(&sides, b));
                for i in 0..3 {
                    let on_one_line = (0..3).all(|j| j == i || x[j] == y[j]);
                    assert_eq!(grid.row(i, a) == grid.row(i, b), on_one_line);
                    assert!((0..3).all(|j| j == i || grid.row(i, a) != grid.row(j, b)));
                }
            }
        }
    }

    #[test]
    fn blocks_cover_the_box_once_and_those_of_a_level_share_no_line() {
        for sides in SHAPES {
            let grid = Grid::new(sides);
            let blocks = Blocks::new(&grid);
            assert!(blocks.order.len() as u128 * 8 <= Blocks::bytes(grid.cells.into()), "{sides:?}");
            let own: Vec<u64> = grid.axes.iter().map(|axis| axis.side).collect();
            let mut level_of = vec![usize::MAX; grid.cells as usize];
            for (level, places) in blocks.levels.iter().enumerate() {
                let mut touched = std::collections::HashMap::new();
                for place in places.clone() {
                    let (from, to) = blocks.bounds(&grid, place);
                    for c in 0..grid.cells {
                        let x = piles(&own, c);
                        if (0..own.len()).all(|i| (from[i]..to[i]).contains(&x[i].into())) {
                            assert_eq!(level_of[c as usize], usize::MAX, "covered twice");
                            level_of[c as usize] = level;
                            for i in 0..own.len() {
                                assert_eq!(*touched.entry(grid.row(i, c)).or_insert(place), place);
                            }
                        }
                    }
                }
            }
            for c in 0..grid.cells {
                for axis in &grid.axes {
                    if c / axis.stride % axis.side > 0 {
                        assert!(level_of[(c - axis.stride) as usize] <= level_of[c as usize]);
                    }
                }
            }
        }
    }
}
