// The verifier's moves of the saturations W^m_{p,k}, from the definition: up to k - 1 coins, each to a lower square of its own,
// with ord_p of the whole distance as small as the least of theirs.
//
// A walk in depth: moved coins on a stack, highest first, each trying its squares downwards. Twin of
// src/kernels/verify_sat.rs, which recurses instead. Masks of up to 64 squares are two words.

var<private> position: vec2<u32>;
var<private> depth: u32;
var<private> came: array<u32, MOVES>;
var<private> went: array<u32, MOVES>;
// Squares left, squares entered, distance and least ord of all coins up to a depth; none at 0.
var<private> squares_left: array<vec2<u32>, MOVES + 1u>;
var<private> entered: array<vec2<u32>, MOVES + 1u>;
var<private> distance: array<u32, MOVES + 1u>;
var<private> least_ord: array<u32, MOVES + 1u>;
var<private> option: u32;

fn square(a: u32) -> vec2<u32> {
    let bit = 1u << (a % 32u);
    return select(vec2(0u, bit), vec2(bit, 0u), a < 32u);
}

// The squares below a, which is at most 64.
fn below(a: u32) -> vec2<u32> {
    let bits = (1u << (a % 32u)) - 1u;
    if (a >= 64u) {
        return vec2(0xffffffffu);
    }
    return select(vec2(0xffffffffu, bits), vec2(bits, 0u), a < 32u);
}

fn is_empty(mask: vec2<u32>) -> bool {
    return (mask.x | mask.y) == 0u;
}

fn highest(mask: vec2<u32>) -> u32 {
    if (mask.y != 0u) {
        return 32u + firstLeadingBit(mask.y);
    }
    return firstLeadingBit(mask.x);
}

fn binomial(a: u32, j: u32) -> u32 {
    return rules[a * (p.coins + 2u) + j];
}

fn cell_of(mask: vec2<u32>) -> u32 {
    var cell = 0u;
    var j = 1u;
    for (var left = mask.x; left != 0u; left &= left - 1u) {
        cell += binomial(firstTrailingBit(left), j);
        j++;
    }
    for (var left = mask.y; left != 0u; left &= left - 1u) {
        cell += binomial(32u + firstTrailingBit(left), j);
        j++;
    }
    return cell;
}

fn coins_of(cell: u32) -> vec2<u32> {
    var rest = cell;
    var coins = vec2(0u);
    var left = p.coins;
    for (var a = p.window; a > 0u && left > 0u; a--) {
        let fits = binomial(a - 1u, left);
        if (fits <= rest) {
            rest -= fits;
            coins |= square(a - 1u);
            left--;
        }
    }
    return coins;
}

fn begin(cell: u32) {
    position = coins_of(cell);
    depth = 0u;
    squares_left[0] = vec2(0u);
    entered[0] = vec2(0u);
    distance[0] = 0u;
    least_ord[0] = 0xffffffffu;
}

// Puts the next lower coin than `above` on the stack, not yet moved; false if there is none.
fn take_coin(at: u32, above: u32) -> bool {
    let coins = position & below(above);
    if (is_empty(coins)) {
        return false;
    }
    came[at] = highest(coins);
    went[at] = came[at];
    return true;
}

// Moves the top coin one square on; false once it has tried them all.
fn move_on() -> bool {
    let top = depth - 1u;
    while (went[top] > 0u) {
        went[top]--;
        let to = square(went[top]);
        if (is_empty(entered[top] & to)) {
            let d = came[top] - went[top];
            squares_left[depth] = squares_left[top] | square(came[top]);
            entered[depth] = entered[top] | to;
            distance[depth] = distance[top] + d;
            least_ord[depth] = min(least_ord[top], rules[p.ord_at + d]);
            return true;
        }
    }
    return false;
}

// Goes to the next choice of moved coins and their squares; false if there is none.
fn next_choice() -> bool {
    if (depth < p.moves) {
        var above = 64u;
        if (depth > 0u) {
            above = came[depth - 1u];
        }
        if (take_coin(depth, above)) {
            depth++;
        }
    }
    while (depth > 0u) {
        if (move_on()) {
            return true;
        }
        if (!take_coin(depth - 1u, came[depth - 1u])) {
            depth--;
        }
    }
    return false;
}

fn next_option() -> bool {
    while (next_choice()) {
        let stay = position & ~squares_left[depth];
        if (is_empty(stay & entered[depth]) && rules[p.ord_at + distance[depth]] == least_ord[depth]) {
            option = cell_of(stay | entered[depth]);
            return true;
        }
    }
    return false;
}

// Whether every option has been told.
fn ended() -> bool {
    return depth == 0u;
}

fn key_of(cell: u32) -> u32 {
    let mask = coins_of(cell);
    var sum = 32u * countOneBits(mask.y);
    for (var left = mask.x; left != 0u; left &= left - 1u) {
        sum += firstTrailingBit(left);
    }
    for (var left = mask.y; left != 0u; left &= left - 1u) {
        sum += firstTrailingBit(left);
    }
    return sum;
}
