//! Walk through a stretch of all partitions and count the full ones, by digits and by degree.
//!
//! Partitions are the nodes of a tree in preorder (see [`crate::index::partitions`]): a child has one more part, at least
//! as large as all others, which is one more coin above all others. A new coin on `a` adds one hook for each empty
//! square below it; those at a distance divisible by `p^L` are counted with one mask. Going up takes them away again.
//! Twin of `shaders/full.wgsl`.

use crate::index::young::{HALVES, POWERS, YoungTables};

/// What was counted among the partitions of one n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FullCount {
    /// Partitions.
    pub partitions: u64,
    /// Those with `b_p = n`.
    pub full: u64,
    /// Those whose degree is prime to p: `ord_p(n!)` is the sum of `ord_p` over the hooks. Not counted for composite p.
    pub by_degree: u64,
    /// Those that are one but not the other.
    pub disagreements: u64,
}

impl FullCount {
    /// Takes in the counts of other partitions of the same n.
    pub fn add(&mut self, other: &Self) {
        self.partitions += other.partitions;
        self.full += other.full;
        self.by_degree += other.by_degree;
        self.disagreements += other.disagreements;
    }
}

/// A diagram, its coins and its hooks.
pub(super) struct Walk<'a> {
    tables: &'a YoungTables,
    coins: [u64; 2],
    rows: u32,
    pub(super) cells: u32,
    hooks: [u64; HALVES],
}

impl<'a> Walk<'a> {
    /// The empty diagram.
    #[inline(always)]
    pub(super) fn new(tables: &'a YoungTables) -> Self {
        Self { tables, coins: [0; 2], rows: 0, cells: 0, hooks: [0; HALVES] }
    }

    /// Adds (`sign` 1) or takes away (`sign` -1, wrapping) the hooks of a coin above all others.
    #[inline(always)]
    fn count_hooks(&mut self, coin: u32, sign: u64) {
        let below = &self.tables.below[coin as usize];
        for (i, hooks) in self.hooks.iter_mut().enumerate() {
            let ends = u64::from((!self.coins[i % 2] & below[i]).count_ones());
            *hooks = hooks.wrapping_add(ends.wrapping_mul(sign));
        }
    }

    /// Adds a row at least as long as all others.
    #[inline(always)]
    pub(super) fn add(&mut self, part: u32) {
        let coin = part + self.rows;
        self.count_hooks(coin, 1);
        self.coins[(coin / 64) as usize] |= 1 << (coin % 64);
        self.rows += 1;
        self.cells += part;
    }

    /// The last and largest part.
    #[inline(always)]
    fn last(&self) -> u32 {
        let top = match self.coins {
            [0, 0] => return 1,
            [low, 0] => 63 - low.leading_zeros(),
            [_, high] => 127 - high.leading_zeros(),
        };
        top - (self.rows - 1)
    }

    #[inline(always)]
    fn take(&mut self) -> u32 {
        let part = self.last();
        self.rows -= 1;
        self.cells -= part;
        let coin = part + self.rows;
        self.coins[(coin / 64) as usize] ^= 1 << (coin % 64);
        self.count_hooks(coin, u64::MAX);
        part
    }

    /// Goes to the next node in preorder; there must be one.
    #[inline(always)]
    fn next(&mut self) {
        let mut part = self.last();
        while self.cells + part > self.tables.nmax() {
            part = self.take() + 1;
        }
        self.add(part);
    }

    /// Hooks that the `i`-th power divides.
    #[inline(always)]
    fn divisible(&self, i: usize) -> usize {
        (self.hooks[2 * i] + self.hooks[2 * i + 1]) as usize
    }

    /// Whether `b_p = n`: every base-p digit of n is the number of hooks that the power divides, modulo p. The last digit
    /// always is, as there is one hook a cell.
    #[inline(always)]
    pub(super) fn full(&self) -> bool {
        let digits = &self.tables.digits[self.cells as usize];
        (0..POWERS).all(|i| self.tables.residue[self.divisible(i)] == digits[i])
    }

    /// `b_p`.
    #[inline(always)]
    pub(super) fn b_p(&self) -> u32 {
        let (mut value, mut power) = (self.tables.residue[self.cells as usize], 1);
        for i in 0..POWERS {
            power *= self.tables.p;
            if power > self.cells {
                break;
            }
            value += self.tables.residue[self.divisible(i)] * power;
        }
        value
    }

    #[inline(always)]
    fn prime_to_p(&self) -> bool {
        let ord = self.hooks.iter().sum::<u64>();
        ord == u64::from(self.tables.legendre[self.cells as usize])
    }
}

/// Counts the nodes `first..first + count`, which the tree must have, into `counts[n]`.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
))]
pub fn full(tables: &YoungTables, first: u64, count: u64, counts: &mut [FullCount]) {
    let mut walk = Walk::new(tables);
    tables.counts.node(first, |part| walk.add(part));
    for step in 0..count {
        if step > 0 {
            walk.next();
        }
        let n = &mut counts[walk.cells as usize];
        let full = walk.full();
        n.partitions += 1;
        n.full += u64::from(full);
        if tables.prime {
            let by_degree = walk.prime_to_p();
            n.by_degree += u64::from(by_degree);
            n.disagreements += u64::from(by_degree != full);
        }
    }
}
