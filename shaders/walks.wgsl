// Fill one set of a solved position a thread: values reached by at most j single moves by multiples of p^e, total not c.
//
// Twin of src/kernels/walks.rs, which says why. Added in front: subset.wgsl.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let n = thread_number(workgroup, me);
    if (n >= p.count) {
        return;
    }
    // Neighbouring threads fill neighbouring sets.
    let number = n % p.sets;
    let c = number % p.modulus;
    let e = number / p.modulus % p.exponents;
    let layer = number / p.modulus / p.exponents;
    take(p.first + n / p.sets);
    if (c != 0u) {
        insert(cell_word(rank_in_hand(), 0u));
    }
    var q = 1u;
    for (var i = 0u; i < e; i++) {
        q *= p.modulus;
    }
    for (var i = 0u; i < p.coins; i++) {
        var r = 0u;
        for (var b = coin[i]; b >= q;) {
            b -= q;
            r = select(r + 1u, 0u, r + 1u == p.modulus);
            if (!is_empty_square(b)) {
                continue;
            }
            let rank = rank_after(i, b);
            if (layer > 0u) {
                let rest = select(c - r, c + p.modulus - r, c < r);
                unite(rank, ((layer - 1u) * p.exponents + e) * p.modulus + rest);
            } else if (r != c) {
                insert(cell_word(rank, 0u));
            }
        }
    }
    for (var w = 0u; w < WORDS; w++) {
        set_cell_word(rank_in_hand(), 1u + number * WORDS + w, values_seen[w]);
    }
}
