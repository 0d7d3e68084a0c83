//! Partitions numbered: all partitions of one n, and all partitions of up to N as the nodes of a tree.
//!
//! A partition is its parts in ascending order. Both orders are lexicographic in that sequence.

/// How many partitions there are, for ranks.
#[derive(Clone, Debug)]
pub struct PartitionCounts {
    nmax: usize,
    /// `exact[r * (nmax + 2) + k]`: partitions of r with all parts at least k; 1 for r = 0.
    exact: Vec<u64>,
    /// The same for partitions of at most r: the size of the subtree of a node with r cells to spare and last part k.
    upto: Vec<u64>,
}

impl PartitionCounts {
    /// Counts for partitions of up to `nmax`; `None` if a count does not fit 64 bits.
    pub fn new(nmax: u32) -> Option<Self> {
        let nmax = nmax as usize;
        let width = nmax + 2;
        let (mut exact, mut upto) = (vec![0u64; (nmax + 1) * width], vec![0u64; (nmax + 1) * width]);
        for r in 0..=nmax {
            for k in (1..width).rev() {
                // The first part is k, or all parts are above k.
                let (mut e, mut u) = (u64::from(r == 0), 1);
                if k <= r {
                    let rest = (r - k) * width + k;
                    e = exact[rest].checked_add(exact[r * width + k + 1])?;
                    u = upto[rest].checked_add(upto[r * width + k + 1])?;
                }
                exact[r * width + k] = e;
                upto[r * width + k] = u;
            }
        }
        Some(Self { nmax, exact, upto })
    }

    /// The largest n.
    pub fn nmax(&self) -> u32 {
        self.nmax as u32
    }

    /// Partitions of r with all parts at least k, for `r <= nmax` and `1 <= k <= nmax + 1`.
    #[inline(always)]
    pub fn exact(&self, r: u32, k: u32) -> u64 {
        self.exact[r as usize * (self.nmax + 2) + k as usize]
    }

    /// Partitions of at most r with all parts at least k.
    #[inline(always)]
    pub fn upto(&self, r: u32, k: u32) -> u64 {
        self.upto[r as usize * (self.nmax + 2) + k as usize]
    }

    /// Partitions of n.
    pub fn of(&self, n: u32) -> u64 {
        self.exact(n, 1)
    }

    /// The tables as 32-bit words, row after row (`r`, then `k` from 0 to `nmax + 1`), for a device without 64-bit integers.
    pub fn words(&self, upto: bool) -> Vec<u32> {
        (if upto { &self.upto } else { &self.exact }).iter().map(|n| *n as u32).collect()
    }

    /// The partition of n with this rank: appends its parts, ascending, to `parts`.
    #[inline(always)]
    pub fn unrank(&self, n: u32, mut rank: u64, mut part: impl FnMut(u32)) {
        let (mut left, mut least) = (n, 1);
        while left > 0 {
            // Those with a first part below j come first: exact(left, least) - exact(left, j) of them.
            let mut j = least;
            loop {
                let with_j = self.exact(left - j, j);
                if rank < with_j {
                    break;
                }
                rank -= with_j;
                j += 1;
                // Between half of what is left and all of it, no first part is possible.
                if 2 * j > left {
                    j = left;
                }
            }
            part(j);
            left -= j;
            least = j;
        }
    }

    /// The rank of a partition among the partitions of the same n.
    pub fn rank(&self, parts: &[u32]) -> u64 {
        let (mut left, mut least, mut rank) = (parts.iter().sum::<u32>(), 1, 0);
        for &part in parts {
            rank += self.exact(left, least) - self.exact(left, part);
            left -= part;
            least = part;
        }
        rank
    }

    /// The node with this number, in preorder, of the tree of all partitions of at most `nmax`, whose root is the empty
    /// partition and where a child has one part more, at least as large as all others: its parts, ascending.
    #[inline(always)]
    pub fn node(&self, mut number: u64, mut part: impl FnMut(u32)) {
        let (mut left, mut least) = (self.nmax as u32, 1);
        while number > 0 {
            number -= 1; // the node itself
            let mut j = least;
            loop {
                let subtree = self.upto(left - j, j);
                if number < subtree {
                    break;
                }
                number -= subtree;
                j += 1;
            }
            part(j);
            left -= j;
            least = j;
        }
    }

    /// Nodes of that tree.
    pub fn nodes(&self) -> u64 {
        self.upto(self.nmax as u32, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(left: u32, least: u32, parts: &mut Vec<u32>, each: &mut impl FnMut(&[u32])) {
        each(parts);
        for j in least..=left {
            parts.push(j);
            all(left - j, j, parts, each);
            parts.pop();
        }
    }

    #[test]
    fn ranks_number_the_partitions() {
        let counts = PartitionCounts::new(18).unwrap();
        assert_eq!(counts.of(18), 385);
        let (mut node, mut ranks) = (0, vec![0u64; 19]);
        all(18, 1, &mut Vec::new(), &mut |parts| {
            let n = parts.iter().sum::<u32>();
            let mut unranked = Vec::new();
            counts.node(node, |j| unranked.push(j));
            assert_eq!(unranked, parts);
            assert_eq!(counts.rank(parts), ranks[n as usize]);
            unranked.clear();
            counts.unrank(n, ranks[n as usize], |j| unranked.push(j));
            assert_eq!(unranked, parts);
            node += 1;
            ranks[n as usize] += 1;
        });
        assert_eq!(node, counts.nodes());
        assert!((0..=18).all(|n| ranks[n as usize] == counts.of(n)));
    }

    /// OEIS A000041 and the figures of the literature.
    #[test]
    fn numbers_of_partitions() {
        let counts = PartitionCounts::new(127).unwrap();
        assert_eq!(counts.of(31), 6_842);
        assert_eq!(counts.of(32), 8_349);
        assert_eq!(counts.of(100), 190_569_292);
        assert_eq!((1..=72).map(|n| counts.of(n)).sum::<u64>(), 40_143_941);
        assert_eq!((0..=40).map(|n| counts.of(n)).sum::<u64>(), 215_308);
        assert!(PartitionCounts::new(500).is_none());
    }
}
