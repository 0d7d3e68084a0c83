// Compare a solved position a thread with Irie's b_p: digit L is the number of hooks that p^L divides, modulo p.
//
// Hooks of length d are the ones of X >> d AND NOT X. Twin of src/kernels/base_p.rs. Added in front: subset.wgsl.

// The position in hand shifted down by 0 < d < 64.
fn shifted_down(d: u32) -> vec2<u32> {
    if (d >= 32u) {
        return vec2(mask.y >> (d - 32u), 0u);
    }
    return vec2((mask.x >> d) | (mask.y << (32u - d)), mask.y >> d);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let n = thread_number(workgroup, me);
    if (n >= p.count) {
        return;
    }
    take(p.first + n);
    var said = 0u;
    var power = 1u;
    for (var digit = 0u; digit < p.exponents; digit++) {
        var count = 0u;
        for (var d = power; d < p.window; d += power) {
            let hooks = countOneBits(shifted_down(d) & ~mask);
            count += hooks.x + hooks.y;
        }
        said += count % p.formula * power;
        power *= p.formula;
    }
    if (said != cell_word(rank_in_hand(), 0u)) {
        atomicAdd(&status[4u + p.slot], 1u);
    }
}
