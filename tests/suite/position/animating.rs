//! Conway's theory of animating functions, each fact over random integers of 128 bits, negatives and the ends included.

use proptest::collection::vec;
use proptest::prelude::*;
use welter::theory::animating::{Animating, NormalForm, mate};
use welter::theory::norm::{alter, in_one_argument, norm};

/// Any integer, with small ones, ends of ranges and their neighbours often.
fn integer() -> impl Strategy<Value = i128> {
    let near = |centre: i128| (-20i128..20).prop_map(move |d| centre.wrapping_add(d));
    prop_oneof![
        any::<i128>(),
        any::<i64>().prop_map(i128::from),
        near(0),
        near(i128::MAX),
        near(i128::from(i64::MAX)),
        near(i128::from(i64::MIN)),
    ]
}

fn animating() -> impl Strategy<Value = Animating> {
    vec((any::<bool>(), integer()), 0..8).prop_map(|steps| {
        steps.into_iter().fold(Animating::identity(), |f, (add, n)| {
            let step = if add { Animating::add(n) } else { Animating::xor(n) };
            step.compose(&f)
        })
    })
}

/// Few enough terms to write out.
fn modest() -> impl Strategy<Value = Animating> {
    vec((any::<bool>(), integer(), -40i128..40), 0..6).prop_map(|steps| {
        steps.into_iter().fold(Animating::identity(), |f, (add, a, b)| {
            let step = if add { Animating::add(b) } else { Animating::xor(a) };
            step.compose(&f)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn an_animating_function_is_a_bijection_and_its_inverse_is_animating(f in animating(), x in integer(), y in integer()) {
        prop_assert_eq!(f.invert().apply(f.apply(x)), x);
        prop_assert_eq!(f.apply(f.invert().apply(x)), x);
        prop_assert_eq!(f.apply(x) == f.apply(y), x == y);
    }

    #[test]
    fn a_composition_of_two_is_animating(f in animating(), g in animating(), x in integer()) {
        prop_assert_eq!(f.compose(&g).apply(x), f.apply(g.apply(x)));
        prop_assert_eq!(f.compose(&g).invert().apply(x), g.invert().apply(f.invert().apply(x)));
    }

    #[test]
    fn mates_stay_mates(f in animating(), x in integer(), y in integer(), a in integer()) {
        let m = mate(x, y);
        prop_assert_eq!(mate(y, x), m);
        prop_assert_eq!(mate(x, x), -1);
        prop_assert_eq!(mate(x.wrapping_add(a), y.wrapping_add(a)), m);
        prop_assert_eq!(mate(x ^ a, y ^ a), m);
        prop_assert_eq!(mate(f.apply(x), f.apply(y)), m);
    }

    #[test]
    fn one_more_and_one_less(n in integer()) {
        prop_assert_eq!(n ^ mate(n, 0), n.wrapping_sub(1));
        prop_assert_eq!(n ^ mate(n, -1), n.wrapping_add(1));
    }

    /// Arguments of 64 bits and sums of them never leave 128 bits: the results are the true integers.
    #[test]
    fn nothing_wraps_in_64_bits(a in any::<i64>(), b in any::<i64>(), x in any::<i64>()) {
        let [a, b, x] = [a, b, x].map(i128::from);
        let f = Animating::add(b).compose(&Animating::xor(a)).compose(&Animating::add(b));
        prop_assert_eq!(Some(f.apply(x)), x.checked_add(b).and_then(|y| (y ^ a).checked_add(b)));
    }

    #[test]
    fn every_one_has_a_normal_form(f in modest(), x in integer()) {
        let normal = f.normal_form(1000).expect("at most 240 terms");
        let written_out = normal.mates().iter().fold(x ^ normal.offset(), |y, a| y ^ mate(x, *a));
        prop_assert_eq!(written_out, f.apply(x));
        prop_assert_eq!(normal.apply(x), f.apply(x));
        prop_assert_eq!(normal.to_steps().apply(x), f.apply(x));
        prop_assert_eq!(normal.solve(f.apply(x)), x);
    }

    #[test]
    fn normal_forms_compose_and_invert(f in modest(), g in modest(), x in integer()) {
        let [nf, ng] = [&f, &g].map(|f| f.normal_form(1000).expect("at most 240 terms"));
        prop_assert_eq!(nf.compose(&ng).apply(x), f.apply(g.apply(x)));
        prop_assert_eq!(nf.invert().apply(x), f.invert().apply(x));
        prop_assert_eq!(nf.compose(&ng), f.compose(&g).normal_form(1000).expect("at most 480 terms"));
    }

    /// Every set of terms and every offset is an animating function, whether or not it came from steps.
    #[test]
    fn every_normal_form_is_animating(mates in vec(integer(), 0..12), b in integer(), x in integer()) {
        let f = NormalForm::new(mates.clone(), b);
        prop_assert_eq!(f.apply(x), mates.iter().fold(x ^ b, |y, a| y ^ mate(x, *a)));
        prop_assert_eq!(f.to_steps().apply(x), f.apply(x));
        prop_assert_eq!(f.solve(f.apply(x)), x);
        prop_assert_eq!(f.apply(f.solve(x)), x);
        prop_assert_eq!(f.to_steps().normal_form(100), Some(f));
    }

    #[test]
    fn the_norm_is_animating_in_each_argument(rest in vec(integer(), 0..10), a in integer(), i in any::<prop::sample::Index>()) {
        let mut all = rest.clone();
        all.insert(i.index(rest.len() + 1), a);
        prop_assert_eq!(norm(&all), in_one_argument(&rest).apply(a));
        prop_assert_eq!(norm(&all), in_one_argument(&rest).to_steps().apply(a));
    }

    #[test]
    fn two_arguments_taken_together(a1 in integer(), a2 in integer(), k in integer(), rest in vec(integer(), 0..10)) {
        let with = |more: &[i128]| norm(&[more, &rest].concat());
        prop_assert_eq!(with(&[a1, a2]), norm(&[with(&[a1]), with(&[a2])]) ^ with(&[]));
        prop_assert_eq!(with(&[k, k]), with(&[]) ^ -1);
    }

    /// M is -1 for equal arguments and otherwise positive, larger for better mates: -1 counts as the largest.
    #[test]
    fn best_mates_can_be_taken_out(arguments in vec(integer(), 2..10)) {
        let pairs = || (0..arguments.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let (i, j) = pairs().max_by_key(|&(i, j)| mate(arguments[i], arguments[j]) as u128).unwrap();
        let mut rest = arguments.clone();
        rest.remove(j);
        rest.remove(i);
        prop_assert_eq!(norm(&arguments), norm(&[arguments[i], arguments[j]]) ^ norm(&rest));
    }

    /// Any even number of the symbols a1, ..., an, n may be replaced by their altered ones.
    #[test]
    fn even_alteration(arguments in vec(integer(), 1..9), altered in integer(), which in any::<u16>()) {
        let n = norm(&arguments);
        let primed = alter(&arguments, altered);
        for (i, a) in primed.iter().enumerate() {
            let mut one = arguments.clone();
            one[i] = *a;
            prop_assert_eq!(norm(&one), altered);
        }
        prop_assume!(altered != n);
        let chosen = |i: usize| which >> i & 1 == 1;
        let some: Vec<i128> =
            (0..arguments.len()).map(|i| if chosen(i) { primed[i] } else { arguments[i] }).collect();
        let odd = (0..arguments.len()).filter(|i| chosen(*i)).count() % 2 == 1;
        prop_assert_eq!(norm(&some), if odd { altered } else { n });
    }

    /// For a position, whose coins are distinct and not negative: among a' < a, b' < b, ..., n' < n an even number hold.
    #[test]
    fn an_even_number_of_inequalities_hold(
        coins in prop_oneof![
            prop::collection::hash_set(0i128..64, 1..9),
            prop::collection::hash_set((0..=i64::MAX).prop_map(i128::from), 1..9),
            prop::collection::hash_set(0..=i128::MAX >> 1, 1..9),
        ],
        near in 0i128..64,
        far in 0..=i128::MAX >> 1,
    ) {
        let coins: Vec<i128> = coins.into_iter().collect();
        let n = norm(&coins);
        for altered in [near, far] {
            if altered != n {
                let smaller = alter(&coins, altered).iter().zip(&coins).filter(|(new, old)| new < old).count();
                prop_assert_eq!((smaller + usize::from(altered < n)) % 2, 0);
            }
        }
    }
}

#[test]
fn a_normal_form_of_too_many_terms_is_refused() {
    assert_eq!(Animating::add(5).normal_form(4), None);
    assert_eq!(Animating::add(-5).normal_form(5).map(|f| f.mates().to_vec()), Some(vec![0, 1, 2, 3, 4]));
    assert_eq!(Animating::add(5).normal_form(5).map(|f| f.mates().to_vec()), Some(vec![-5, -4, -3, -2, -1]));
    assert_eq!(Animating::add(i128::MIN).compose(&Animating::add(i128::MIN)).normal_form(usize::MAX), None);
    let cancelled = Animating::add(-7).compose(&Animating::add(7)).normal_form(14);
    assert_eq!(cancelled, Some(NormalForm::default()));
}
