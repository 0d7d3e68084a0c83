//! Solve a block of a box of Nim with passes: mex over the rows of the lines through each cell and the value one pass down.
//!
//! A row is a set of values as a bitset over several words, behind one word that counts how many of them, from the
//! first, are known to be full. Bits are only ever added, so that count never has to go back, and the mex of the union of
//! rows is not below the greatest of the counts. Twin of `shaders/pass.wgsl`, which takes a block of one cell a thread.

use super::layer::Cell;
use crate::index::boxes::{Grid, MAX_AXES};

/// Memory shared by the threads that solve one level of blocks: they touch disjoint cells and rows (see
/// [`crate::index::boxes`]).
pub struct Shared<T> {
    first: *mut T,
    len: u64,
}

// SAFETY: access is by `at` alone, whose callers keep to disjoint places.
unsafe impl<T: Send> Send for Shared<T> {}
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Shares `all`, which must not be used otherwise while the result lives.
    pub fn new(all: &mut [T]) -> Self {
        Self { first: all.as_mut_ptr(), len: all.len() as u64 }
    }

    /// A pointer to `len` places from `at` on, which are in bounds.
    #[inline(always)]
    fn at(&self, at: u64, len: u64) -> *mut T {
        assert!(at + len <= self.len, "plan: out of bounds");
        // SAFETY: in bounds.
        unsafe { self.first.add(at as usize) }
    }
}

/// What the kernel needs to know of the box and the layer.
pub struct Params<'a> {
    /// The box.
    pub grid: &'a Grid,
    /// Words of a row, the count in front included.
    pub row_words: u64,
    /// Passes left; below the first layer there is none.
    pub layer: u32,
}

/// The cell at which a row was full: its value cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full(pub u64);

/// For any number of axes; others are compiled for theirs.
const ANY: usize = 0;

macro_rules! compiled {
    ($name:ident, $int:ty) => {
        /// [`Solve::solve`] for one width of values, compiled for the machine at hand.
        ///
        /// # Safety
        /// As for [`Solve::solve`].
        #[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
        unsafe fn $name(
            p: &Params<'_>,
            block: &([u64; MAX_AXES], [u64; MAX_AXES]),
            values: &Shared<$int>,
            rows: &Shared<u64>,
        ) -> Result<(), Full> {
            // SAFETY: as promised by the caller.
            unsafe {
                match p.grid.axes.len() {
                    1 => solve::<$int, 1>(p, block, values, rows),
                    2 => solve::<$int, 2>(p, block, values, rows),
                    3 => solve::<$int, 3>(p, block, values, rows),
                    4 => solve::<$int, 4>(p, block, values, rows),
                    5 => solve::<$int, 5>(p, block, values, rows),
                    _ => solve::<$int, ANY>(p, block, values, rows),
                }
            }
        }

        impl Solve for $int {
            unsafe fn solve(
                p: &Params<'_>,
                block: &([u64; MAX_AXES], [u64; MAX_AXES]),
                values: &Shared<Self>,
                rows: &Shared<u64>,
            ) -> Result<(), Full> {
                // SAFETY: as promised by the caller.
                unsafe { $name(p, block, values, rows) }
            }
        }
    };
}
compiled!(solve_u16, u16);
compiled!(solve_u32, u32);

/// The widths of values with a compiled kernel each.
pub trait Solve: Cell {
    /// Solves a block, given by its least piles and one more than its greatest: `values` holds the layer below and
    /// receives this one; rows are brought up to date. Fails where every value that a row can hold is seen.
    ///
    /// # Safety
    /// No other thread may touch these cells, or rows of lines through them, meanwhile: call it for blocks of one level
    /// at a time.
    unsafe fn solve(
        p: &Params<'_>,
        block: &([u64; MAX_AXES], [u64; MAX_AXES]),
        values: &Shared<Self>,
        rows: &Shared<u64>,
    ) -> Result<(), Full>;
}

#[inline(always)]
unsafe fn solve<T: Cell, const R: usize>(
    p: &Params<'_>,
    (from, to): &([u64; MAX_AXES], [u64; MAX_AXES]),
    values: &Shared<T>,
    rows: &Shared<u64>,
) -> Result<(), Full> {
    let r = if R == ANY { p.grid.axes.len() } else { R };
    let last = r - 1;
    let words = p.row_words as usize - 1;
    let length = to[last] - from[last];
    let mut at = *from;
    loop {
        // One stretch of the last axis: its own row stays, the rows of the other axes lie one behind the other.
        let first: u64 = (0..r).map(|i| at[i] * p.grid.axes[i].stride).sum();
        let mut row = [std::ptr::null_mut::<u64>(); MAX_AXES];
        for (i, row) in row.iter_mut().enumerate().take(r) {
            let stretch = if i == last { 1 } else { length };
            *row = rows.at(p.grid.row(i, first) * p.row_words, stretch * p.row_words);
        }
        let cells = values.at(first, length);
        for x in 0..length {
            // SAFETY: `at` has seen to the bounds of cells and rows; a word's number `w` is below `words`, and the caller
            // keeps other threads away.
            unsafe {
                let cell = cells.add(x as usize);
                let below = if p.layer > 0 && first + x != p.grid.over { (*cell).get() } else { u64::MAX };
                let mut w = 0;
                for row in row.iter().take(r) {
                    w = w.max(**row as usize);
                }
                let seen = loop {
                    if w >= words {
                        return Err(Full(first + x));
                    }
                    let mut seen = if below / 64 == w as u64 { 1u64 << (below % 64) } else { 0 };
                    for row in row.iter().take(r) {
                        seen |= *row.add(1 + w);
                    }
                    if seen != u64::MAX {
                        break seen;
                    }
                    w += 1;
                };
                let mex = !seen & (seen + 1);
                *cell = T::new(64 * w as u64 + u64::from(mex.trailing_zeros()));
                for row in row.iter().take(r) {
                    let word = row.add(1 + w);
                    *word |= mex;
                    if *word == u64::MAX && **row == w as u64 {
                        let mut full = w + 1;
                        while full < words && *row.add(1 + full) == u64::MAX {
                            full += 1;
                        }
                        **row = full as u64;
                    }
                }
                for row in row.iter_mut().take(last) {
                    *row = row.wrapping_add(p.row_words as usize);
                }
            }
        }
        // The next stretch, like an odometer.
        let mut axis = last;
        loop {
            if axis == 0 {
                return Ok(());
            }
            axis -= 1;
            at[axis] += 1;
            if at[axis] < to[axis] {
                break;
            }
            at[axis] = from[axis];
        }
    }
}
