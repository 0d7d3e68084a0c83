// A set of values below 64 as two words, low half first: WGSL has no portable 64-bit integer.

alias Row = vec2<u32>;

fn row_limit() -> Row {
    return vec2(p.limit0, p.limit1);
}

// The least value outside the set, as a set of one; empty when the set is full.
fn least_outside(a: Row) -> Row {
    let below = ~a.x & (a.x + 1u);
    let above = ~a.y & (a.y + 1u);
    return vec2(below, select(0u, above, below == 0u));
}

fn is_empty(a: Row) -> bool {
    return (a.x | a.y) == 0u;
}

fn value_of(a: Row) -> u32 {
    return select(32u + firstTrailingBit(a.y), firstTrailingBit(a.x), a.x != 0u);
}
