//! The mating method (J. H. Conway, On Numbers and Games, 1976, ch. 13) in O(m log m), for positions of any size.
//!
//! Coins are put in radix order of their low bits, so that coins congruent modulo `2^L` stand together for every `L`.
//! The binary trie over them has one node for each residue class that splits: at level `L`, coins congruent modulo `2^L`
//! of which some have bit `L` and some have not. Pairing off the best mates first means pairing within the deepest
//! classes first; a class that is done leaves one coin over iff it holds an odd number. So a node at level `L` mates
//! the two coins left over by its halves iff both halves are odd, and that pair has `M = 2^(L+1) - 1`.

use rayon::prelude::*;

/// The largest square: 2^63 - 1. Values, and the squares that moves lead to, then lie below it too.
pub const LAST_SQUARE: u64 = i64::MAX as u64;

/// The largest number of coins: what a link of the trie can number.
pub const MOST_COINS: usize = LEAF as usize;

const LEAF: u32 = 1 << 31;

/// From how many coins on the work is shared between threads.
pub(super) const MANY: usize = 1 << 14;

/// Why coins are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAPosition {
    /// Two coins on this square.
    Repeated(u64),
    /// A coin beyond [`LAST_SQUARE`].
    TooLarge(u64),
    /// More than [`MOST_COINS`] coins.
    TooMany(usize),
}

/// A residue class modulo `2^level` that splits at bit `level`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Any coin of the class.
    pub sample: u64,
    /// The halves: bit `level` clear, bit `level` set.
    pub halves: [u32; 2],
    pub level: u8,
    /// Whether the class holds an odd number of coins.
    pub odd: bool,
}

/// What a link of the trie leads to.
pub(super) enum Class<'a> {
    Coin(usize),
    Node(&'a Node),
}

/// Two mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mates {
    /// The smaller coin.
    pub low: u64,
    /// The larger coin.
    pub high: u64,
    /// `M(low, high) = N(high - low)`.
    pub m: u64,
}

/// The coins of a position in radix order of their low bits, with the trie over them.
pub struct Mating {
    pub(super) coins: Vec<u64>,
    nodes: Vec<Node>,
    pub(super) root: u32,
    value: u64,
}

impl Mating {
    /// Orders the coins, in any order, and mates them. O(m log m).
    ///
    /// ```
    /// let mating = welter::theory::mating::Mating::new(&[1, 4, 5, 9, 11])?;
    /// assert_eq!(mating.value(), 14);
    /// # Ok::<(), welter::theory::mating::NotAPosition>(())
    /// ```
    ///
    /// # Errors
    /// [`NotAPosition`] if a coin is repeated or too large, or if there are too many.
    pub fn new(coins: &[u64]) -> Result<Self, NotAPosition> {
        if coins.len() > MOST_COINS {
            return Err(NotAPosition::TooMany(coins.len()));
        }
        if let Some(&coin) = coins.iter().find(|coin| **coin > LAST_SQUARE) {
            return Err(NotAPosition::TooLarge(coin));
        }
        let mut coins: Vec<u64> = coins.iter().map(|coin| coin.reverse_bits()).collect();
        if coins.len() < MANY {
            coins.sort_unstable()
        } else {
            coins.par_sort_unstable()
        }
        coins.iter_mut().for_each(|coin| *coin = coin.reverse_bits());
        if let Some(pair) = coins.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(NotAPosition::Repeated(pair[0]));
        }

        let value = coins.iter().fold(0, |v, x| v ^ x);
        let mut mating = Self { nodes: Vec::with_capacity(coins.len().saturating_sub(1)), coins, root: LEAF, value };
        mating.build();
        Ok(mating)
    }

    /// The trie, from left to right.
    fn build(&mut self) {
        // The classes still open to the right, outermost first: the half that is done, and the level they split at.
        let mut open: Vec<(u32, u8)> = Vec::new();
        let mut done = LEAF;
        for i in 1..self.coins.len() {
            let level = (self.coins[i - 1] ^ self.coins[i]).trailing_zeros() as u8;
            while let Some((half, deeper)) = open.pop_if(|(_, deeper)| *deeper > level) {
                done = self.join(half, done, deeper);
            }
            open.push((done, level));
            done = LEAF | i as u32;
        }
        while let Some((half, level)) = open.pop() {
            done = self.join(half, done, level);
        }
        self.root = done;
    }

    fn join(&mut self, clear: u32, set: u32, level: u8) -> u32 {
        let odd = |class: Class| match class {
            Class::Coin(_) => true,
            Class::Node(node) => node.odd,
        };
        let (a, b) = (odd(self.class(clear)), odd(self.class(set)));
        if a && b {
            self.value ^= m_at(level);
        }
        let sample = match self.class(clear) {
            Class::Coin(i) => self.coins[i],
            Class::Node(node) => node.sample,
        };
        self.nodes.push(Node { sample, halves: [clear, set], level, odd: a != b });
        self.nodes.len() as u32 - 1
    }

    /// What a link leads to.
    pub(super) fn class(&self, link: u32) -> Class<'_> {
        if link & LEAF != 0 { Class::Coin((link ^ LEAF) as usize) } else { Class::Node(&self.nodes[link as usize]) }
    }

    /// The coins, in radix order of their low bits.
    pub fn coins(&self) -> &[u64] {
        &self.coins
    }

    /// The Sprague-Grundy value.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The `m div 2` pairs, best mates first, and the coin left over if their number is odd.
    pub fn mates(&self) -> (Vec<Mates>, Option<u64>) {
        let mut pairs = Vec::with_capacity(self.coins.len() / 2);
        // Halves are numbered before the classes they are of.
        let mut over: Vec<Option<u64>> = Vec::with_capacity(self.nodes.len());
        let left = |over: &[Option<u64>], link: u32| match self.class(link) {
            Class::Coin(i) => self.coins.get(i).copied(),
            Class::Node(_) => over[link as usize],
        };
        for node in &self.nodes {
            let [a, b] = node.halves.map(|link| left(&over, link));
            if let (Some(a), Some(b)) = (a, b) {
                pairs.push(Mates { low: a.min(b), high: a.max(b), m: m_at(node.level) });
                over.push(None);
            } else {
                over.push(a.or(b));
            }
        }
        pairs.sort_unstable_by_key(|pair| (std::cmp::Reverse(pair.m), pair.low));
        (pairs, left(&over, self.root))
    }
}

/// `M(x, y)` for x and y that differ in bit `level` and in none below.
fn m_at(level: u8) -> u64 {
    u64::MAX >> (63 - level)
}
