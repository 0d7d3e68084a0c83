//! One level of Young's lattice: for each partition of n, the sizes of the full diagrams inside it, from the level below.
//!
//! A full diagram inside `lambda` is `lambda` itself or lies inside `lambda` without one of its corners. So the set of
//! sizes is the union of the sets of the partitions of n - 1 inside, and n if `lambda` is full. Twin of `shaders/msg.wgsl`.

use super::full::Walk;
use crate::index::young::{MAX_CELLS, YoungTables};

/// The sizes of full diagrams inside a diagram, as a set of numbers below 128.
pub type Sizes = [u64; 2];

/// What was counted among partitions of one n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MsgCount {
    /// Partitions.
    pub partitions: u64,
    /// Full ones.
    pub full: u64,
    /// Those inside which no full diagram has `b_p` cells: exceptions to Irie's Theorem 1.
    pub exceptions: u64,
    /// The sum of `msg_p`, the size of a largest full diagram inside.
    pub sum_msg: u64,
    /// The greatest `msg_p`.
    pub max_msg: u64,
    /// Those with `msg_p = b_p`.
    pub msg_is_b_p: u64,
}

impl MsgCount {
    /// Takes in the counts of other partitions of the same n.
    pub fn add(&mut self, other: &Self) {
        self.partitions += other.partitions;
        self.full += other.full;
        self.exceptions += other.exceptions;
        self.sum_msg += other.sum_msg;
        self.max_msg = self.max_msg.max(other.max_msg);
        self.msg_is_b_p += other.msg_is_b_p;
    }
}

/// Sets the sizes of the partitions of n ranked `first..first + sizes.len()` from `below`, those of n - 1 in rank order.
#[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn msg(tables: &YoungTables, n: u32, first: u64, below: &[Sizes], sizes: &mut [Sizes]) -> MsgCount {
    let counts = &tables.counts;
    let mut told = MsgCount::default();
    let (mut parts, mut left) = ([0u32; MAX_CELLS as usize], [0u32; MAX_CELLS as usize]);
    for (rank, sizes) in (first..).zip(sizes) {
        let mut walk = Walk::new(tables);
        let mut rows = 0;
        counts.unrank(n, rank, |part| {
            parts[rows] = part;
            left[rows] = n - walk.cells;
            rows += 1;
            walk.add(part);
        });

        // A rank is a sum over the parts of `exact(left, part before) - exact(left, part)`. Taking a cell from part i lowers
        // what is left before all parts up to i, and the part before that of i + 1; what comes later stays.
        let before = |i: usize| if i == 0 { 1 } else { parts[i - 1] };
        let term = |i: usize, less: u32, before: u32, part: u32| {
            counts.exact(left[i] - less, before) - counts.exact(left[i] - less, part)
        };
        let mut later: u64 = (1..rows).map(|i| term(i, 0, parts[i - 1], parts[i])).sum(); // of the parts after i
        let mut earlier = 0; // of the parts before i, with one cell less
        let mut inside = [0u64; 2];
        for i in 0..rows {
            let part = parts[i];
            if part > before(i) || i == 0 {
                let lowered = if part == 1 {
                    later // the part is gone
                } else {
                    let next = if i + 1 < rows {
                        later - term(i + 1, 0, part, parts[i + 1]) + term(i + 1, 0, part - 1, parts[i + 1])
                    } else {
                        0
                    };
                    earlier + term(i, 1, before(i), part - 1) + next
                };
                let smaller = below[lowered as usize];
                inside[0] |= smaller[0];
                inside[1] |= smaller[1];
            }
            if i + 1 < rows {
                earlier += term(i, 1, before(i), part);
                later -= term(i + 1, 0, part, parts[i + 1]);
            }
        }

        let full = walk.full();
        if full {
            inside[(n / 64) as usize] |= 1 << (n % 64);
        }
        *sizes = inside;
        let msg = if inside[1] != 0 { 127 - inside[1].leading_zeros() } else { 63 - inside[0].leading_zeros() };
        let b_p = walk.b_p();
        told.partitions += 1;
        told.full += u64::from(full);
        told.exceptions += u64::from(b_p > n || inside[(b_p / 64) as usize % 2] >> (b_p % 64) & 1 == 0);
        told.sum_msg += u64::from(msg);
        told.max_msg = told.max_msg.max(msg.into());
        told.msg_is_b_p += u64::from(msg == b_p);
    }
    told
}
