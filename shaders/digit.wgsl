// Compare a tile's values with Irie's digit form: digit L is the parity of the number of hooks that 2^L divides.
//
// Taken from the whole mask X, in two words. With q = 2^L the digit is the parity of popcount(~X AND A(q)),
// A(q) = X >> q XOR X >> 2q XOR ..., and A(q) = A(2q) XOR ((X XOR A(2q)) >> q). Twin of src/kernels/digit.rs.
// Added in front: tile.wgsl, compare.wgsl.

// A mask of up to 64 squares, low half first, shifted down by 0 < q < 64.
fn shift_down(x: vec2<u32>, q: u32) -> vec2<u32> {
    if (q >= 32u) {
        return vec2(x.y >> (q - 32u), 0u);
    }
    return vec2((x.x >> q) | (x.y << (32u - q)), x.y >> q);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let number = tile_number(workgroup);
    if (number >= p.count) {
        return;
    }
    let tile = tiles[p.first + number];
    compare_begin(me);
    workgroupBarrier();

    let j = class_of(tile);
    let class_start = low[p.class_at + j];
    var high = vec2(tile.high, 0u);
    if (p.low > 0u) {
        high = vec2(tile.high << p.low, tile.high >> (32u - p.low));
    }
    for (var r = me; r < class_size(j); r += WORKGROUP) {
        let at = class_start + r;
        let x = high | vec2(low[p.mask_at + at], 0u);
        var above = vec2(0u);
        var said = 0u;
        for (var digit = p.strides; digit > 0u; digit--) {
            above ^= shift_down(x ^ above, low[p.stride_at + digit - 1u]);
            let ends = countOneBits(~x & above);
            said = (said << 1u) | ((ends.x + ends.y) & 1u);
        }
        compare(tile, at, value_at(tile, r), said);
    }
    workgroupBarrier();
    compare_end(me, number, 2u);
}
