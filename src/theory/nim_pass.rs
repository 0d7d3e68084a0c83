//! What is known in closed form of Nim and of Nim with passes; the proofs are in `docs/NIM.md`.

/// No pass: the XOR of the piles (C. L. Bouton, "Nim, a game with a complete mathematical theory", 1901).
pub fn nim(piles: &[u32]) -> u64 {
    piles.iter().fold(0, |xor, pile| xor ^ u64::from(*pile))
}

/// One pile: with an even number of passes left the pile itself; with an odd number 2k-1 and 2k change places, 0 stays.
pub fn one_pile(pile: u32, passes: u32) -> u64 {
    let pile = u64::from(pile);
    if pile == 0 || passes.is_multiple_of(2) { pile } else { ((pile - 1) ^ 1) + 1 }
}

/// Two piles: whether it is a P-position, that is, whether the piles are equal (an even number of passes left), or (0,0),
/// (2k-1,2k), (2k,2k-1) (an odd number).
pub fn two_piles_lose(x: u32, y: u32, passes: u32) -> bool {
    u64::from(y) == one_pile(x, passes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases() {
        let odd: Vec<u64> = (0..7).map(|x| one_pile(x, 1)).collect();
        assert_eq!(odd, [0, 2, 1, 4, 3, 6, 5]);
        assert_eq!(one_pile(5, 2), 5);
        assert!(two_piles_lose(3, 4, 1));
        assert!(!two_piles_lose(2, 3, 1));
        assert!(two_piles_lose(0, 0, 1));
        assert!(two_piles_lose(5, 5, 0));
        assert_eq!(nim(&[1, 2, 3]), 0);
    }
}
