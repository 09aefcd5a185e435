//! Instruction counts and memory on an emulated Cortex-M4, as `cargo xtask arm count --save` last found them.

use serde::Serialize;

/// What one operation of a set took, with one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Registry name.
    pub set: String,
    /// `keygen`, `sign` or `verify`.
    pub operation: String,
    /// Instructions of the whole operation.
    pub instructions: u64,
    /// Attempts of signing.
    pub attempts: u64,
    /// Most heap in use, besides keys, message and signature.
    pub heap_bytes: u64,
    /// Deepest stack.
    pub stack_bytes: u64,
    /// Among the instructions those of SHAKE256,
    pub hash: u64,
    /// those of the AES-128 keystream of P1 and P2,
    pub keystream: u64,
    /// and those of the random generator of the known answers.
    pub random: u64,
}

impl Count {
    /// Instructions besides hashing, keystream and generator.
    #[must_use]
    pub fn rest(&self) -> u64 {
        self.instructions.saturating_sub(self.hash + self.keystream + self.random)
    }
}

/// The counts kept last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// When, and by which compiler.
    pub how: String,
    /// The counts.
    pub counts: Vec<Count>,
}

const TABLE: &str = include_str!("../arm.tsv");
const HEAD: &str = "# Counts of `cargo xtask arm count --save`: ";
const COLUMNS: &str =
    "# set\toperation\tinstructions\tattempts\theap bytes\tstack bytes\tSHAKE256\tAES-128\tgenerator";

/// The counts kept last.
#[must_use]
pub fn kept() -> Kept {
    read(TABLE)
}

fn read(table: &str) -> Kept {
    let how = table.lines().next().and_then(|line| line.strip_prefix(HEAD)).unwrap_or_default().to_owned();
    let counts = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| parse(line.split('\t')))
        .collect();
    Kept { how, counts }
}

/// A count from its words, in the order of the columns of the table.
#[must_use]
pub fn parse<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Count> {
    let (set, operation) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut number = || words.next()?.parse().ok();
    Some(Count {
        set,
        operation,
        instructions: number()?,
        attempts: number()?,
        heap_bytes: number()?,
        stack_bytes: number()?,
        hash: number()?,
        keystream: number()?,
        random: number()?,
    })
}

/// The text of a table of counts.
#[must_use]
pub fn table(date: &str, compiler: &str, counts: &[Count]) -> String {
    let mut text =
        format!("{HEAD}{date}, {compiler}, opt-level 3, LTO; mps2-an386 (Cortex-M4) under QEMU\n{COLUMNS}\n");
    for c in counts {
        text.push_str(&format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
            c.set,
            c.operation,
            c.instructions,
            c.attempts,
            c.heap_bytes,
            c.stack_bytes,
            c.hash,
            c.keystream,
            c.random
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let count = Count {
            set: "MAYO-1-r2".into(),
            operation: "sign".into(),
            instructions: 100,
            attempts: 1,
            heap_bytes: 2,
            stack_bytes: 3,
            hash: 4,
            keystream: 5,
            random: 6,
        };
        let text = table("2026-01-02", "rustc 1.96.0", core::slice::from_ref(&count));
        let kept = read(&text);
        assert_eq!(kept.counts, [count]);
        assert!(kept.how.starts_with("2026-01-02, rustc 1.96.0"));
        assert_eq!(kept.counts[0].rest(), 85);
    }

    #[test]
    fn lines_of_the_board_parse_and_others_do_not() {
        let words = |line: &'static str| parse(line.split_whitespace());
        let count = words("MAYO-1-r2 sign 123456789 1 1024 2048 100 20 3").unwrap();
        assert_eq!((count.instructions, count.heap_bytes, count.stack_bytes), (123_456_789, 1024, 2048));
        assert_eq!(count.rest(), 123_456_666);
        assert!(words("MAYO-1-r2 sign 12 1 1024 2 3 4").is_none());
        assert!(words("").is_none());
    }

    #[test]
    fn the_kept_table_is_whole() {
        let kept = kept();
        assert!(!kept.how.is_empty());
        for set in ["MAYO-v7m-new-1", "MAYO-v7m-orig-1", "MAYO-v7m-new-1-k14", "MAYO-1-r2", "MAYO-2-r2"] {
            for operation in ["keygen", "sign", "verify"] {
                let found = kept.counts.iter().filter(|c| c.set == set && c.operation == operation).count();
                assert_eq!(found, 1, "{set} {operation}");
            }
        }
    }
}
