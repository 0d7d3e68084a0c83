// The verifier's moves of Nim with passes: every pile, every smaller number in it; or a pass, if one is left and some pile
// is not empty. Twin of src/kernels/verify_pass.rs.

var<private> position: u32;
var<private> pile: u32;
var<private> taken: u32;
var<private> passed: bool;
var<private> option: u32;

fn begin(cell: u32) {
    position = cell;
    pile = 0u;
    taken = 0u;
    passed = false;
}

fn coins_in(cell: u32, i: u32) -> u32 {
    return cell / rules[p.piles + i] % rules[i];
}

fn next_option() -> bool {
    while (pile < p.piles) {
        if (taken < coins_in(position, pile)) {
            taken++;
            option = position - taken * rules[p.piles + pile];
            return true;
        }
        pile++;
        taken = 0u;
    }
    if (passed) {
        return false;
    }
    passed = true;
    let some_pile = position % p.layer != 0u;
    option = position - p.layer;
    return position >= p.layer && some_pile;
}

// Whether every option has been told.
fn ended() -> bool {
    return pile == p.piles && passed;
}

fn key_of(cell: u32) -> u32 {
    var sum = cell / p.layer;
    for (var i = 0u; i < p.piles; i++) {
        sum += coins_in(cell, i);
    }
    return sum;
}
