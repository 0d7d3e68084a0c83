//! Animating functions (J. H. Conway, On Numbers and Games, 1976, ch. 13): the finite compositions of `x -> x XOR a`
//! and `x -> x + b` on the integers, with XOR extended to negative integers by two's complement.
//!
//! # What the integers are here
//!
//! An `i128` stands for an integer modulo `2^128`, and sums wrap. That is deliberate, and loses nothing: binary digit
//! `L` of `x XOR a`, of `x + b` and of `M(x, y)` depends on the digits up to `L` of the arguments alone, so reduction
//! modulo `2^128` commutes with all of them. Every identity below holds without exception up to the ends of the range,
//! and a result is the true integer whenever the true integer lies in the range: always, for arguments of 64 bits.
//!
//! # Why the normal form exists
//!
//! `f(x) = x XOR M(x, a1) XOR ... XOR M(x, ak) XOR b`. From `n XOR M(n, -1) = n + 1` and `M(x, y) = M(f(x), f(y))`:
//! `f(x) + 1 = f(x) XOR M(f(x), -1) = f(x) XOR M(x, f^-1(-1))`, one term more; likewise `f(x) - 1` with
//! `f^-1(0)`. So `+ b` after `f` brings the terms `f^-1(-1), ..., f^-1(-b)`, and XOR changes the offset alone. By
//! the same invariance the composition of two normal forms and the inverse of one are again normal forms, term by term.

/// `M(x, y) = x XOR y XOR ((x XOR y) - 1)`: `2^(k+1) - 1` if digit `k` is the lowest in which x and y differ, and -1
/// for `x = y`.
pub fn mate(x: i128, y: i128) -> i128 {
    let z = x ^ y;
    z ^ z.wrapping_sub(1)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Xor(i128),
    Add(i128),
}

/// An animating function, as the steps it is composed of.
///
/// ```
/// use welter::theory::animating::Animating;
/// let f = Animating::add(5).compose(&Animating::xor(-3)); // x -> (x XOR -3) + 5
/// assert_eq!(f.apply(7), (7 ^ -3) + 5);
/// assert_eq!(f.invert().apply(f.apply(7)), 7);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Animating {
    steps: Vec<Step>,
}

impl Animating {
    /// `x -> x`.
    pub fn identity() -> Self {
        Self::default()
    }

    /// `x -> x XOR a`.
    pub fn xor(a: i128) -> Self {
        Self { steps: vec![Step::Xor(a)] }
    }

    /// `x -> x + b`.
    pub fn add(b: i128) -> Self {
        Self { steps: vec![Step::Add(b)] }
    }

    /// `f(x)`.
    pub fn apply(&self, x: i128) -> i128 {
        self.steps.iter().fold(x, |x, step| match step {
            Step::Xor(a) => x ^ a,
            Step::Add(b) => x.wrapping_add(*b),
        })
    }

    /// `x -> self(inner(x))`.
    pub fn compose(&self, inner: &Self) -> Self {
        Self { steps: [inner.steps.as_slice(), &self.steps].concat() }
    }

    /// The inverse function, which is animating too.
    pub fn invert(&self) -> Self {
        let undo = |step: &Step| match step {
            Step::Xor(a) => Step::Xor(*a),
            Step::Add(b) => Step::Add(b.wrapping_neg()),
        };
        Self { steps: self.steps.iter().rev().map(undo).collect() }
    }

    /// The normal form; `None` if it would be made from more than `limit` terms, as `+ b` brings `|b|` of them.
    pub fn normal_form(&self, limit: usize) -> Option<NormalForm> {
        let needed = self.steps.iter().try_fold(0u128, |sum, step| match step {
            Step::Xor(_) => Some(sum),
            Step::Add(b) => sum.checked_add(b.unsigned_abs()),
        });
        needed.filter(|n| *n <= limit as u128)?;
        let (mut mates, mut offset) = (Vec::new(), 0);
        for (i, step) in self.steps.iter().enumerate() {
            let back = Self { steps: self.steps[..i].to_vec() }.invert();
            match *step {
                Step::Xor(a) => offset ^= a,
                Step::Add(b) if b > 0 => mates.extend((1..=b).map(|n| back.apply(-n))),
                Step::Add(b) => mates.extend((0..-b).map(|n| back.apply(n))),
            }
        }
        Some(NormalForm::new(mates, offset))
    }
}

/// An animating function in the form `x XOR M(x, a1) XOR ... XOR M(x, ak) XOR b`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NormalForm {
    mates: Vec<i128>,
    offset: i128,
}

impl NormalForm {
    /// The function with these `a1, ..., ak` and this `b`. Equal terms cancel in pairs, so they are left out.
    pub fn new(mut mates: Vec<i128>, offset: i128) -> Self {
        mates.sort_unstable();
        let odd = mates.chunk_by(|x, y| x == y).filter(|run| run.len() % 2 == 1).map(|run| run[0]);
        Self { mates: odd.collect(), offset }
    }

    /// `a1 < ... < ak`.
    pub fn mates(&self) -> &[i128] {
        &self.mates
    }

    /// `b`.
    pub fn offset(&self) -> i128 {
        self.offset
    }

    /// `f(x)`, in O(k).
    pub fn apply(&self, x: i128) -> i128 {
        self.mates.iter().fold(x ^ self.offset, |y, a| y ^ mate(x, *a))
    }

    /// The `x` with `f(x) = y`, digit by digit from the lowest, in O(k) a digit.
    ///
    /// Digit `L` of `M(x, a)` is 1 iff `x` and `a` are congruent modulo `2^L`; so digit `L` of `x` is that of
    /// `y XOR b`, flipped if an odd number of the `a` are congruent to the digits of `x` found so far.
    pub fn solve(&self, y: i128) -> i128 {
        let mut near = self.mates.clone();
        let mut x = y ^ self.offset;
        for level in 0..i128::BITS {
            x ^= ((near.len() & 1) as i128) << level;
            near.retain(|a| (a ^ x) >> level & 1 == 0);
            if near.is_empty() {
                break;
            }
        }
        x
    }

    /// `x -> self(inner(x))`: the terms of `inner`, and those of `self` brought back through it.
    pub fn compose(&self, inner: &Self) -> Self {
        let back = self.mates.iter().map(|a| inner.solve(*a));
        Self::new(inner.mates.iter().copied().chain(back).collect(), self.offset ^ inner.offset)
    }

    /// The inverse: each term `a` becomes `f(a)`, and `b` stays.
    pub fn invert(&self) -> Self {
        Self::new(self.mates.iter().map(|a| self.apply(*a)).collect(), self.offset)
    }

    /// The same function as steps: `y XOR M(y, c) = ((y XOR c) - 1) XOR c`, with `c` the image of the next term.
    pub fn to_steps(&self) -> Animating {
        let mut f = Animating::identity();
        for a in &self.mates {
            let c = f.apply(*a);
            f.steps.extend([Step::Xor(c), Step::Add(-1), Step::Xor(c)]);
        }
        f.steps.push(Step::Xor(self.offset));
        f
    }
}
