// A set of values below 32 as one word.

alias Row = u32;

fn row_limit() -> Row {
    return p.limit0;
}

// The least value outside the set, as a set of one; empty when the set is full.
fn least_outside(a: Row) -> Row {
    return ~a & (a + 1u);
}

fn is_empty(a: Row) -> bool {
    return a == 0u;
}

fn value_of(a: Row) -> u32 {
    return firstTrailingBit(a);
}
