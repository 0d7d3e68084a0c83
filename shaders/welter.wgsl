// Compare a tile's values with Welter's formula: XOR of the coins and of N(x - y) over all pairs of coins.
//
// Pairs are taken as high-high, low-low (a table) and high-low (two small tables). Twin of src/kernels/welter.rs.
// Added in front: tile.wgsl, compare.wgsl, subset_xor.wgsl.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let number = tile_number(workgroup);
    if (number >= p.count) {
        return;
    }
    let tile = tiles[p.first + number];
    compare_begin(me);
    high_to_low(tile, me);
    var high = 0u;
    for (var left = tile.high; left != 0u; left &= left - 1u) {
        let x = firstTrailingBit(left);
        high ^= p.low + x;
        for (var below = tile.high & ((1u << x) - 1u); below != 0u; below &= below - 1u) {
            high ^= n_of(x - firstTrailingBit(below));
        }
    }
    workgroupBarrier();
    subset_xor_tables(me);
    workgroupBarrier();

    let j = class_of(tile);
    let class_start = low[p.class_at + j];
    for (var r = me; r < class_size(j); r += WORKGROUP) {
        let at = class_start + r;
        let said = low[p.welter_at + at] ^ high ^ subset_xor(low[p.mask_at + at]);
        compare(tile, at, value_at(tile, r), said);
    }
    workgroupBarrier();
    compare_end(me, number, 0u);
}
