// Count a tile's values and add up its part of the digest, plain and mirrored. Twin of src/kernels/tally.rs.
//
// Added in front: tile.wgsl, compare.wgsl.

// 64 counts for each number of coins of the band.
@group(0) @binding(5) var<storage, read_write> histogram: array<atomic<u32>>;

var<workgroup> counts: array<atomic<u32>, 64>;
var<workgroup> sums: array<atomic<u32>, 8>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let number = tile_number(workgroup);
    if (number >= p.count) {
        return;
    }
    let tile = tiles[p.first + number];
    for (var v = me; v < 64u; v += WORKGROUP) {
        atomicStore(&counts[v], 0u);
    }
    for (var i = me; i < 8u; i += WORKGROUP) {
        atomicStore(&sums[i], 0u);
    }
    workgroupBarrier();

    let j = class_of(tile);
    let class_start = low[p.class_at + j];
    var plain = vec4(0u);
    var mirrored = vec4(0u);
    for (var r = me; r < class_size(j); r += WORKGROUP) {
        let value = value_at(tile, r);
        let weight = p.weight_at + 4u * (class_start + r);
        let mirror = p.mirror_at + 4u * (class_start + r);
        plain += (value + 1u) * vec4(low[weight], low[weight + 1u], low[weight + 2u], low[weight + 3u]);
        mirrored += (value + 1u) * vec4(low[mirror], low[mirror + 1u], low[mirror + 2u], low[mirror + 3u]);
        atomicAdd(&counts[value % 64u], 1u);
    }
    for (var i = 0u; i < 4u; i++) {
        atomicAdd(&sums[i], plain[i]);
        atomicAdd(&sums[4u + i], mirrored[i]);
    }
    workgroupBarrier();

    for (var v = me; v < 64u; v += WORKGROUP) {
        let count = atomicLoad(&counts[v]);
        if (count > 0u) {
            atomicAdd(&histogram[(tile.coins - p.coins) * 64u + v], count);
        }
    }
    for (var i = me; i < 8u; i += WORKGROUP) {
        verdicts[(p.first + number) * 16u + 6u + i] = atomicLoad(&sums[i]);
    }
}
