//! Compare positions with Irie's `b_p`: base-`p` digit `L` is the number of hooks whose length `p^L` divides, modulo `p`.
//!
//! Hooks are a coin and an empty square below it. Those of length `d` are the ones of `X >> d` AND NOT `X`, so a digit
//! is a count of ones over the multiples of `p^L`. Twin of `shaders/base_p.wgsl`.

use super::subset::Params;

/// `b_p` of a mask with this `p`, in a window of `n` squares; `p^exponents` is at least `n`.
#[inline(always)]
pub fn value(p: u32, exponents: u32, n: u32, mask: u64) -> u32 {
    let (mut value, mut power) = (0, 1);
    for _ in 0..exponents {
        let mut count = 0;
        let mut d = power;
        while d < n {
            count += (mask >> d & !mask).count_ones();
            d += power;
        }
        value += count % p * power;
        power *= p;
    }
    value
}

/// Whether a solved position's value differs from the formula.
#[inline(always)]
pub fn differs(p: &Params<'_>, mask: u64, solved: u32) -> bool {
    solved != value(p.plan.formula, p.plan.exponents, p.plan.window, mask)
}

#[cfg(test)]
mod tests {
    use crate::Position;

    #[test]
    fn it_is_the_closed_form() {
        for p in [2u32, 3, 4, 5, 6, 9, 13, 40] {
            let exponents = (0..).take_while(|e| p.pow(*e) < 12).count() as u32;
            for mask in 0..1u64 << 12 {
                let said = super::value(p, exponents, 12, mask);
                assert_eq!(u64::from(said), crate::theory::digits::value(p.into(), &Position(mask).coins()));
            }
        }
    }
}
