// Compare a tile's values with Sato's hook formula: XOR of N(h) over all hooks, counted from the board.
//
// A hook is a coin and an empty square below it: both high, both low (a table), or a high coin and a low empty square
// (two small tables, read at the empty squares). Twin of src/kernels/hook.rs.
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
        for (var empty = ~tile.high & ((1u << x) - 1u); empty != 0u; empty &= empty - 1u) {
            high ^= n_of(x - firstTrailingBit(empty));
        }
    }
    workgroupBarrier();
    subset_xor_tables(me);
    workgroupBarrier();

    let j = class_of(tile);
    let class_start = low[p.class_at + j];
    let all = (1u << p.low) - 1u;
    for (var r = me; r < class_size(j); r += WORKGROUP) {
        let at = class_start + r;
        let said = low[p.hook_at + at] ^ high ^ subset_xor(~low[p.mask_at + at] & all);
        compare(tile, at, value_at(tile, r), said);
    }
    workgroupBarrier();
    compare_end(me, number, 1u);
}
