//! Every option of a position, once each, straight from the residue-class form of the rule; for checks without a table.
//!
//! Options are pairs `(S, T)`: coins that leave, empty squares that are entered. For each `e`, `S` is taken class by class
//! modulo `q = p^e`, and its `i`-th least coin of a class gets a square of the same class below it and above the square
//! of the one before; that the total is no multiple of `p^(e+1)` is seen at the end. A pair has one `e`, one order and
//! one assignment, so it is met once. Along the way the hooks that each `p^L` divides are kept, so that `b_p` of the
//! option costs next to nothing.

use crate::index::colex::Colex;

/// Powers of `p` below 64 that a window may have: for `p = 2`, `2^0` to `2^5`.
const MOST_POWERS: usize = 6;

/// What the walk over options needs of the rule.
#[derive(Clone, Debug)]
pub struct Rule {
    p: u64,
    steps: u32,
    /// `p^0, p^1, ...` below the window.
    powers: Vec<u32>,
    /// The squares of each class: `classes[L][a]` are those congruent to `a` modulo `p^L`.
    classes: Vec<[u64; 64]>,
}

/// `sum over coins of floor(x / p^L)`, less the pairs of coins congruent modulo `p^L`: the hooks that `p^L` divides.
type Hooks = [u32; MOST_POWERS];

impl Rule {
    /// The rule of `W_{p, steps + 1}` in a window; `p` at most the window's squares times its coins, see the plan.
    pub fn new(p: u32, steps: u32, window: u32) -> Self {
        let powers: Vec<u32> = (0..).map(|e| p.pow(e)).take_while(|q| *q < window.max(2)).collect();
        let class = |q: &u32| std::array::from_fn(|a| (0..64).filter(|b| b % q == a as u32 % q).map(|b| 1u64 << b).sum());
        Self { p: p.into(), steps, classes: powers.iter().map(class).collect(), powers }
    }

    /// `b_p` of a mask.
    pub fn formula(&self, mask: u64) -> u32 {
        let (mut hooks, mut before, mut left) = ([0; MOST_POWERS], 0, mask);
        while left != 0 {
            let a = left.trailing_zeros();
            hooks = self.with(&hooks, before, a);
            before |= 1 << a;
            left &= left - 1;
        }
        self.digits(&hooks)
    }

    /// The hooks once a coin is put on `a` beside those of `mask`.
    #[inline(always)]
    fn with(&self, hooks: &Hooks, mask: u64, a: u32) -> Hooks {
        let mut hooks = *hooks;
        for (l, hooks) in hooks.iter_mut().enumerate().take(self.powers.len()) {
            // Wrapping: between coins a count may pass below zero; with all coins on the board it is a count again.
            let beside = (mask & self.classes[l][a as usize]).count_ones();
            *hooks = hooks.wrapping_add(a / self.powers[l]).wrapping_sub(beside);
        }
        hooks
    }

    #[inline(always)]
    fn digits(&self, hooks: &Hooks) -> u32 {
        self.powers.iter().zip(hooks).map(|(power, hooks)| hooks % self.p as u32 * power).sum()
    }

    /// Calls `visit` with the mask and `b_p` of each option of `mask`, each once.
    pub fn options(&self, mask: u64, visit: &mut impl FnMut(u64, u32)) {
        for (e, &q) in self.powers.iter().enumerate() {
            let mut coins: Vec<u32> = (0..64).filter(|a| mask >> a & 1 == 1).collect();
            coins.sort_by_key(|a| (a % q, *a));
            let mut walk = Walk { rule: self, e, q, from: mask, coins: &coins, leaves: [0; 64], visit };
            walk.choose(0, 0);
        }
    }
}

/// One position and one `e` at a time.
struct Walk<'a, V> {
    rule: &'a Rule,
    e: usize,
    q: u32,
    from: u64,
    /// By class, then ascending.
    coins: &'a [u32],
    leaves: [u32; 64],
    visit: &'a mut V,
}

impl<V: FnMut(u64, u32)> Walk<'_, V> {
    /// Chooses which coins leave, in order; `chosen` of them so far, from those before number `next`.
    fn choose(&mut self, next: usize, chosen: usize) {
        if chosen > 0 {
            let stay = self.leaves[..chosen].iter().fold(self.from, |mask, a| mask & !(1 << a));
            let (mut hooks, mut before, mut left) = ([0; MOST_POWERS], 0u64, stay);
            while left != 0 {
                let a = left.trailing_zeros();
                hooks = self.rule.with(&hooks, before, a);
                before |= 1 << a;
                left &= left - 1;
            }
            self.place(0, chosen, stay, &hooks, 0);
        }
        if chosen < self.rule.steps as usize {
            for i in next..self.coins.len() {
                self.leaves[chosen] = self.coins[i];
                self.choose(i + 1, chosen + 1);
            }
        }
    }

    /// Gives coin number `i` of those that leave every square it may enter.
    fn place(&mut self, i: usize, chosen: usize, mask: u64, hooks: &Hooks, total: u32) {
        let a = self.leaves[i];
        // In one class, in ascending order.
        let class = self.rule.classes[self.e][a as usize];
        let above = if i > 0 && self.leaves[i - 1] % self.q == a % self.q {
            // The square that the coin before entered is the topmost of its class that was not there at first.
            let entered = mask & !self.from & class;
            u64::MAX << (63 - entered.leading_zeros())
        } else {
            u64::MAX
        };
        let mut squares = class & ((1 << a) - 1) & !self.from & !mask & above;
        while squares != 0 {
            let b = squares.trailing_zeros();
            squares &= squares - 1;
            let total = total + (a - b) / self.q;
            let hooks = self.rule.with(hooks, mask, b);
            let mask = mask | 1 << b;
            if i + 1 < chosen {
                self.place(i + 1, chosen, mask, &hooks, total);
            } else if !u64::from(total).is_multiple_of(self.rule.p) {
                (self.visit)(mask, self.rule.digits(&hooks));
            }
        }
    }
}

/// What the formula alone says of some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certified {
    /// Positions looked at.
    pub positions: u64,
    /// Their options.
    pub options: u64,
    /// Positions with an option of the same `b_p`.
    pub repeated: u64,
    /// Positions with a smaller value that no option has as its `b_p`.
    pub missing: u64,
}

/// Looks at `count` positions from rank `first` on; calls `failed` with each mask that is repeated or missing a value.
pub fn certify(rule: &Rule, colex: &Colex, first: u64, count: u64, failed: &mut impl FnMut(u64)) -> Certified {
    let mut told = Certified { positions: count, ..Certified::default() };
    let mut seen = vec![0u64; 1];
    let mut mask = if count > 0 { colex.unrank(first) } else { 0 };
    for _ in 0..count {
        let own = rule.formula(mask);
        seen.clear();
        seen.resize(own as usize / 64 + 1, 0);
        let mut options = 0;
        rule.options(mask, &mut |_, value| {
            options += 1;
            if let Some(word) = seen.get_mut(value as usize / 64) {
                *word |= 1 << (value % 64);
            }
        });
        let has = |value: u32| seen[value as usize / 64] >> (value % 64) & 1 == 1;
        let (repeated, missing) = (has(own), !(0..own).all(has));
        told.options += options;
        told.repeated += u64::from(repeated);
        told.missing += u64::from(missing);
        if repeated || missing {
            failed(mask);
        }
        mask = crate::index::colex::next(mask);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::theory::{digits, saturation};

    #[test]
    fn each_option_is_met_once_with_its_formula() {
        for (p, m, k, n) in [(2, 4, 3, 9), (3, 4, 4, 10), (4, 3, 4, 11), (6, 4, 5, 9), (9, 3, 3, 10)] {
            let rule = Rule::new(p, k - 1, n);
            let masks: Vec<u64> = (0..1u64 << n).filter(|mask| mask.count_ones() == m).collect();
            for &x in &masks {
                let mut met = Vec::new();
                rule.options(x, &mut |y, value| {
                    assert_eq!(u64::from(value), digits::value(p.into(), &Position(y).coins()));
                    met.push(y);
                });
                met.sort_unstable();
                let legal = |y: &u64| saturation::legal(p.into(), k, Position(x), Position(*y));
                let expected: Vec<u64> = masks.iter().copied().filter(legal).collect();
                assert_eq!(met, expected, "p {p}, k {k}, from {}", Position(x));
            }
        }
    }
}
