//! Markers: finding them, and what is to stand between them.

use std::path::Path;

use super::Table;
use super::tables::{Made, NAMES};
use crate::error::{Error, Result};

const OPEN: &str = "<!-- report:";
const END: &str = "<!-- report:end -->";
const SHUT: &str = " -->";

/// The text with every table as the records make it, and what became of each.
///
/// # Errors
/// [`Error::Usage`] naming the file, line and remedy where markers are unknown, unpaired or missing, or no record is there
/// for a table.
pub fn replace(path: &Path, text: &str, made: &[Made]) -> Result<(String, Vec<Table>)> {
    let wrong = |line: usize, why: String| Error::Usage(format!("{}, line {line}: {why}", path.display()));
    let (mut new, mut tables) = (String::new(), Vec::new());
    let mut lines = (1..).zip(text.split_inclusive('\n'));
    let mut fenced = false;
    while let Some((number, line)) = lines.next() {
        new += line;
        // Markers shown in a block of code are no markers.
        fenced ^= line.trim_start().starts_with("```");
        let Some(name) = line.trim().strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(SHUT)).filter(|_| !fenced)
        else {
            continue;
        };
        if line.trim() == END {
            return Err(wrong(number, format!("{END} ends no table; put {OPEN}NAME{SHUT} before it, or take it away")));
        }
        let Some(table) = made.iter().find(|table| table.name == name) else {
            return Err(wrong(number, format!("there is no table {name:?}; the tables are {}", NAMES.join(", "))));
        };
        if table.rows == 0 {
            return Err(wrong(
                number,
                format!("no record for table {name}; {}, or take the marker away", table.remedy),
            ));
        }
        let mut wanted = table.text.lines();
        let mut differed = None;
        loop {
            let Some((number, line)) = lines.next() else {
                return Err(wrong(number, format!("table {name} has no end; put {END} behind it")));
            };
            let ends = line.trim() == END;
            if !ends && line.trim().starts_with(OPEN) {
                return Err(wrong(number, format!("table {name} has no end before this marker; put {END} behind it")));
            }
            let (found, wanted) = (if ends { None } else { Some(line.trim_end_matches(['\r', '\n'])) }, wanted.next());
            if found != wanted {
                let shown = |line: Option<&str>| line.map_or("nothing".to_string(), |line| format!("{line:?}"));
                differed.get_or_insert(format!("line {number}: {} is to be {}", shown(found), shown(wanted)));
            }
            if ends {
                new += &table.text;
                new += line;
                break;
            }
        }
        tables.push(Table { name: name.into(), rows: table.rows, differed });
    }
    if tables.is_empty() {
        return Err(Error::Usage(format!(
            "{}: it has no marker such as {OPEN}{}{SHUT}; put one, and {END} behind it, where a table is to stand",
            path.display(),
            NAMES[0]
        )));
    }
    Ok((new, tables))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Vec<Made> {
        let table = |name, text: &str| Made {
            name,
            rows: text.lines().count(),
            text: text.into(),
            remedy: "run it with --record",
        };
        vec![table("windows", "| a |\n| 1 |\n"), table("full", "")]
    }

    fn replaced(text: &str) -> Result<(String, Vec<Table>)> {
        replace(Path::new("R.md"), text, &made())
    }

    #[test]
    fn tables_are_put_between_their_markers_and_nothing_else_changes() {
        let (before, after) = ("before\n<!-- report:windows -->\n", "<!-- report:end -->\nafter");
        let right = format!("{before}| a |\n| 1 |\n{after}");
        for old in ["", "| a |\n", "| a |\n| 2 |\n", "| a |\n| 1 |\n| 1 |\n", "\n"] {
            let (new, tables) = replaced(&format!("{before}{old}{after}")).unwrap();
            assert_eq!(new, right);
            assert!(tables[0].differed.is_some(), "{old:?}");
        }
        let (new, tables) = replaced(&right).unwrap();
        assert_eq!((new, &tables[0].differed), (right, &None));
    }

    #[test]
    fn wrong_markers_are_refused_with_their_line() {
        for (text, words) in [
            ("no marker\n", "no marker such as"),
            ("```\n<!-- report:windows -->\n<!-- report:end -->\n```\n", "no marker such as"),
            ("\n<!-- report:window -->\n<!-- report:end -->\n", "line 2: there is no table \"window\""),
            ("<!-- report:windows -->\n", "line 1: table windows has no end"),
            ("<!-- report:windows -->\n<!-- report:full -->\n", "line 2: table windows has no end before"),
            ("<!-- report:end -->\n", "line 1: <!-- report:end --> ends no table"),
            ("<!-- report:full -->\n<!-- report:end -->\n", "line 1: no record for table full; run it with --record"),
        ] {
            let error = replaced(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }
}
