// XORs over subsets of the low squares from what each square gives: least[m % 64] ^ rest[m / 64] for a mask m.

var<workgroup> square: array<u32, 12>;
var<workgroup> least: array<u32, 64>;
var<workgroup> rest: array<u32, 64>;

// After a barrier that follows the writing of `square`; before one that precedes `subset_xor`.
fn subset_xor_tables(me: u32) {
    for (var m = me; m < 64u; m += WORKGROUP) {
        var below = 0u;
        var above = 0u;
        for (var a = 0u; a < 6u; a++) {
            if (((m >> a) & 1u) == 1u) {
                below ^= square[a];
                above ^= square[a + 6u];
            }
        }
        least[m] = below;
        rest[m] = above;
    }
}

fn subset_xor(mask: u32) -> u32 {
    return least[mask & 63u] ^ rest[(mask >> 6u) & 63u];
}

// N(d) = d XOR (d - 1), d > 0.
fn n_of(d: u32) -> u32 {
    return d ^ (d - 1u);
}

// XOR of N(h - a) over the high coins h, for each low square a.
fn high_to_low(tile: Tile, me: u32) {
    for (var a = me; a < 12u; a += WORKGROUP) {
        var gives = 0u;
        for (var left = tile.high; a < p.low && left != 0u; left &= left - 1u) {
            gives ^= n_of(p.low + firstTrailingBit(left) - a);
        }
        square[a] = gives;
    }
}
