// Solve a position a thread: the least value that none of its options has, from the sets of its single moves.
//
// Twin of src/kernels/mex.rs, which says why. Added in front: subset.wgsl.

// Whether a full set is the fault of an option that was not solved.
fn leads_to_poison() -> bool {
    for (var i = 0u; i < p.coins; i++) {
        for (var b = 0u; b < coin[i]; b++) {
            if (is_empty_square(b) && cell_word(rank_after(i, b), 0u) == POISON) {
                return true;
            }
        }
    }
    return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let n = thread_number(workgroup, me);
    if (n >= p.count) {
        return;
    }
    take(p.first + n);
    // With one coin at a time every move is legal: its distance is its sum.
    let powers = select(p.exponents, p.steps, p.steps < 2u);
    var q = 1u;
    for (var e = 0u; e < powers; e++) {
        for (var i = 0u; i < p.coins; i++) {
            var r = 0u;
            for (var b = coin[i]; b >= q;) {
                b -= q;
                r = select(r + 1u, 0u, r + 1u == p.modulus);
                if (!is_empty_square(b)) {
                    continue;
                }
                let rank = rank_after(i, b);
                if (p.steps == 1u) {
                    insert(cell_word(rank, 0u));
                } else {
                    let c = select(p.modulus - r, 0u, r == 0u);
                    unite(rank, ((p.steps - 2u) * p.exponents + e) * p.modulus + c);
                }
            }
        }
        q *= p.modulus;
    }

    var value = POISON;
    for (var w = 0u; w < WORDS && value == POISON; w++) {
        if (values_seen[w] != 0xffffffffu) {
            value = 32u * w + firstTrailingBit(~values_seen[w]);
        }
    }
    if (value == POISON) {
        atomicAdd(&status[select(1u, 0u, leads_to_poison())], 1u);
    }
    set_cell_word(rank_in_hand(), 0u, value);
    atomicAdd(&status[2], 1u);
}
