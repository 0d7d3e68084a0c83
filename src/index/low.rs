//! The low squares of a window: the classes of low masks by number of coins, and every table about them that the
//! kernels read. Plain data, made once a run; the GPU backend uploads it as it stands.

use crate::record::digest;
use crate::theory;

/// The most low squares a tile may have: sums of 16-bit digest limbs over one class then stay below 2^32.
pub const MAX_LOW: u32 = 12;

/// Words of one verdict's digest sums: four 16-bit limbs of a 61-bit weight.
pub const LIMBS: usize = 4;

/// Tables about the masks of the `low` lowest squares.
///
/// Class `j` holds the masks with `j` coins, ordered by (coin sum, mask): its members' *ranks* are 0, 1, 2, ....
/// Members of equal coin sum form a *step*: no move leads from one to another, so a step is solved in parallel.
#[derive(Clone, Debug)]
pub struct LowTables {
    /// Number of low squares.
    pub low: u32,
    /// Number of squares in the window.
    pub window: u32,
    /// `class[j]..class[j + 1]`: where class `j` lies in the tables below; classes `0..=low`, then one empty class
    /// for the tiles that have lines but no positions.
    pub class: Vec<u32>,
    /// The masks, class after class.
    pub masks: Vec<u32>,
    /// `step[step_of[j]..=step_of[j + 1] - 1]`: the ranks at which the steps of class `j` begin, and its size.
    pub step: Vec<u32>,
    /// See [`Self::step`].
    pub step_of: Vec<u32>,
    /// For each mask of class `j`, for each of its coins ascending: the rank of the mask without it, in class `j - 1`.
    pub lines: Vec<u32>,
    /// Where class `j` begins in [`Self::lines`].
    pub lines_of: Vec<u32>,
    /// Welter's formula of the low coins alone.
    pub welter: Vec<u32>,
    /// Sato's hook formula of the low coins alone.
    pub hook: Vec<u32>,
    /// The place of the mask in the order of reports (coin sum, then lexicographic), all classes together.
    pub report: Vec<u32>,
    /// The strides 1, 2, 4, ... below the window, one for each binary digit of the digit form.
    pub strides: Vec<u32>,
    /// The digest's weight of the low coins, in 16-bit limbs, least first.
    pub weights: Vec<[u32; LIMBS]>,
    /// The same for the mirrored position: the weight of its coins that come from low squares.
    pub mirrors: Vec<[u32; LIMBS]>,
    /// The mask at each place of [`Self::report`].
    pub reported: Vec<u32>,
}

/// Where a test can plant a bug: one altered entry in the tables that a kernel works from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// The solving kernel looks up a wrong line.
    Rows,
    /// The kernel of Welter's formula.
    Welter,
    /// The kernel of Sato's hook formula.
    Hook,
    /// The kernel of Irie's digit form.
    Digit,
}

impl LowTables {
    /// The tables for the `low` lowest of `window` squares; `low` is at most [`MAX_LOW`] and at most `window`.
    pub fn new(low: u32, window: u32) -> Self {
        assert!(low <= MAX_LOW && low <= window, "plan: too many low squares");
        let sum = |mask: u32| (0..low).filter(|a| mask >> a & 1 == 1).sum::<u32>();
        let mut masks: Vec<u32> = (0..1 << low).collect();
        masks.sort_by_key(|&m| (m.count_ones(), sum(m), m));

        let mut class = vec![0];
        for j in 0..=low {
            let size = masks.iter().filter(|m| m.count_ones() == j).count();
            class.push(class[j as usize] + size as u32);
        }
        class.push(1 << low);

        let mut rank = vec![0; 1 << low];
        for (at, &mask) in masks.iter().enumerate() {
            rank[mask as usize] = at as u32 - class[mask.count_ones() as usize];
        }

        let (mut step, mut step_of) = (Vec::new(), vec![0]);
        let (mut lines, mut lines_of) = (Vec::new(), vec![0]);
        for j in 0..=low as usize + 1 {
            let members = &masks[class[j] as usize..class[(j + 1).min(low as usize + 1)] as usize];
            for (r, &mask) in members.iter().enumerate() {
                if r == 0 || sum(mask) != sum(members[r - 1]) {
                    step.push(r as u32);
                }
                for a in (0..low).filter(|a| mask >> a & 1 == 1) {
                    lines.push(rank[(mask ^ 1 << a) as usize]);
                }
            }
            step.push(members.len() as u32);
            step_of.push(step.len() as u32);
            lines_of.push(lines.len() as u32);
        }

        let position = |mask: u32| crate::Position(u64::from(mask));
        let mut reported: Vec<u32> = (0..1 << low).collect();
        // The empty set and {0} have equal sums, and which comes first depends on the coins above; the kernels
        // swap their places where there are none.
        reported.sort_by(|&a, &b| {
            let order = position(a).report_order(position(b));
            if a | b == 1 { order.reverse() } else { order }
        });
        let mut report_of_mask = vec![0; 1 << low];
        for (place, &mask) in reported.iter().enumerate() {
            report_of_mask[mask as usize] = place as u32;
        }

        let all = (1u64 << low) - 1;
        let each =
            |f: &dyn Fn(&[u64]) -> u64| -> Vec<u32> { masks.iter().map(|&m| f(&position(m).coins()) as u32).collect() };
        Self {
            low,
            window,
            welter: each(&theory::welter::value),
            hook: each(&theory::hooks::value),
            report: masks.iter().map(|&m| report_of_mask[m as usize]).collect(),
            strides: (0..32).map(|i| 1 << i).take_while(|q| *q < window).collect(),
            weights: masks.iter().map(|&m| limbs(digest::weight(m.into(), |a| a))).collect(),
            mirrors: masks.iter().map(|&m| limbs(digest::weight(!u64::from(m) & all, |a| window - 1 - a))).collect(),
            class,
            masks,
            step,
            step_of,
            lines,
            lines_of,
            reported,
        }
    }

    /// Number of masks in class `j`; 0 for `j` above [`Self::low`].
    pub fn class_size(&self, j: u32) -> usize {
        match self.class.get(j as usize + 1) {
            Some(end) => (end - self.class[j as usize]) as usize,
            None => 0,
        }
    }

    /// Alters one entry, as a programming error in that kernel would.
    pub fn plant(&mut self, bug: Bug) {
        match bug {
            Bug::Rows => {
                let two = self.lines_of[2] as usize;
                if let Some(line) = self.lines.get_mut(two) {
                    *line ^= 1;
                }
            }
            Bug::Welter => *self.welter.last_mut().expect("a mask") ^= 1,
            Bug::Hook => *self.hook.last_mut().expect("a mask") ^= 1,
            Bug::Digit => {
                if let Some(stride) = self.strides.last_mut() {
                    *stride += 1;
                }
            }
        }
    }
}

fn limbs(weight: u64) -> [u32; LIMBS] {
    std::array::from_fn(|i| (weight >> (16 * i) & 0xffff) as u32)
}

/// The field element with these sums of limbs.
pub fn from_limbs(sums: &[u32; LIMBS]) -> u64 {
    sums.iter().rev().fold(0, |value, &limb| digest::add(digest::mul(value, 1 << 16), u64::from(limb)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_partition_the_masks_and_lines_drop_one_coin() {
        for low in 0..=6 {
            let t = LowTables::new(low, low + 3);
            assert_eq!(t.masks.len(), 1 << low);
            let mut at = 0;
            for j in 0..=low {
                let members = &t.masks[t.class[j as usize] as usize..t.class[j as usize + 1] as usize];
                for (r, mask) in members.iter().enumerate() {
                    assert_eq!(mask.count_ones(), j);
                    assert!(t.report[t.class[j as usize] as usize + r] < 1 << low);
                    for a in (0..low).filter(|a| mask >> a & 1 == 1) {
                        let below = t.class[j as usize - 1] + t.lines[at];
                        assert_eq!(t.masks[below as usize], mask ^ 1 << a);
                        at += 1;
                    }
                }
                let steps = &t.step[t.step_of[j as usize] as usize..t.step_of[j as usize + 1] as usize];
                assert_eq!(steps.len() as u32, j * (low - j) + 2, "coin sums in a class are consecutive");
                assert_eq!(*steps.last().unwrap() as usize, members.len());
            }
            assert_eq!(t.class_size(low + 1), 0);
            assert_eq!(at, t.lines.len());
        }
    }

    #[test]
    fn limbs_come_back() {
        for w in [0, 1, 0xffff, digest::P - 1, digest::q(5)] {
            assert_eq!(from_limbs(&limbs(w)), w);
        }
    }

    #[test]
    fn limb_sums_of_a_class_stay_below_two_to_the_32() {
        let largest_class = 924u64; // C(12, 6)
        let largest_value = 63 + 1;
        assert!(largest_class * largest_value * 0xffff < 1 << 32);
    }
}
