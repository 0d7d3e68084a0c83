//! Numbers for people.

/// A number with its thousands set apart.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate in words: `41.3 million positions a second`.
pub fn rate(n: u64, seconds: f64, what: &str) -> String {
    let rate = n as f64 / seconds.max(1e-9);
    match rate {
        r if r >= 1e9 => format!("{:.2} billion {what} a second", r / 1e9),
        r if r >= 1e6 => format!("{:.1} million {what} a second", r / 1e6),
        r => format!("{} {what} a second", grouped(r as u64)),
    }
}

/// Seconds for people.
pub fn seconds(s: f64) -> String {
    match s {
        s if s < 0.1 => format!("{:.1} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{} min {} s", (s / 60.0) as u64, (s % 60.0) as u64),
    }
}

/// A Markdown table with words to the left and numbers to the right, as the first row has them.
pub fn markdown(header: &str, rows: &[Vec<String>]) -> String {
    let number = |cell: &String| cell == "-" || cell.starts_with(|c: char| c.is_ascii_digit()) && !cell.contains('{');
    let rule = rows.first().into_iter().flatten().map(|cell| if number(cell) { "---:" } else { "---" });
    let mut text = format!("| {header} |\n|{}|\n", rule.collect::<Vec<_>>().join("|"));
    for row in rows {
        // A bar in a device's name must not end its cell.
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(35200), "35,200");
        assert_eq!(grouped(67108864), "67,108,864");
        assert_eq!(rate(3_000_000, 2.0, "positions"), "1.5 million positions a second");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!(seconds(125.0), "2 min 5 s");
    }
}
