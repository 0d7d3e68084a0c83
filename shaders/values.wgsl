// Pack the values of consecutive ranks, two a word, for reading back.
//
// Twin of src/kernels/values.rs. Added in front: subset.wgsl.

fn value_of(rank: u32) -> u32 {
    let value = cell_word(rank, 0u);
    if (value == POISON) {
        atomicAdd(&status[0], 1u);
    } else if (value > 0xffffu) {
        atomicAdd(&status[1], 1u);
    }
    return value & 0xffffu;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let n = thread_number(workgroup, me);
    if (n >= (p.count + 1u) / 2u) {
        return;
    }
    var word = value_of(p.first + 2u * n);
    if (2u * n + 1u < p.count) {
        word |= value_of(p.first + 2u * n + 1u) << 16u;
    }
    packed[n] = word;
}
