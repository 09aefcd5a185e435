//! The grammar of vector files.
//!
//! `field = value` lines; entries are separated by blank lines and begin with `count`, `case` or `m`; `#` starts a comment
//! line. An entry without such a first field may stand at the head of a file and holds what all entries share. A line is cut at
//! its first `=`, except that a line that begins with `neg ` is cut at its last one. Blanks around the `=` do not count.

/// One `field = value` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The label.
    pub name: String,
    /// What follows the `=`, possibly empty.
    pub value: String,
    /// Line number in the file, from 1.
    pub line: usize,
}

/// The lines of one entry, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The fields.
    pub fields: Vec<Field>,
}

/// A parsed file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorFile {
    /// Comment lines before the first field, without `#`.
    pub header: Vec<String>,
    /// What all entries share.
    pub shared: Option<Entry>,
    /// The entries.
    pub entries: Vec<Entry>,
}

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ParseError {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// The labels that begin an entry.
pub const FIRST_LABELS: [&str; 3] = ["count", "case", "m"];

/// Labels that may occur once in an entry.
const UNIQUE: [&str; 18] = [
    "count",
    "case",
    "set",
    "seed",
    "mlen",
    "msg",
    "pk",
    "sk",
    "smlen",
    "sm",
    "sig",
    "ct",
    "ss",
    "sm_second",
    "sk_seed",
    "salt",
    "verdict",
    "open",
];

impl Entry {
    /// The first field with this label.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// What the entry is called in reports: `count = 3`.
    #[must_use]
    pub fn label(&self) -> String {
        match self.fields.first() {
            Some(first) => format!("{} = {}", first.name, first.value),
            None => "an empty entry".into(),
        }
    }

    fn check(&self) -> Result<(), ParseError> {
        for (index, field) in self.fields.iter().enumerate() {
            let repeated = self.fields[..index].iter().any(|other| other.name == field.name);
            if repeated && UNIQUE.contains(&field.name.as_str()) {
                return Err(ParseError {
                    line: field.line,
                    reason: format!("{:?} stands twice in one entry", field.name),
                });
            }
        }
        Ok(())
    }

    fn begins_like_an_entry(&self) -> bool {
        self.fields.first().is_some_and(|first| FIRST_LABELS.contains(&first.name.as_str()))
    }
}

/// Parses the bytes of a vector file.
///
/// # Errors
/// The first line that is not of the grammar.
pub fn parse(bytes: &[u8]) -> Result<VectorFile, ParseError> {
    let text = core::str::from_utf8(bytes).map_err(|error| ParseError {
        line: 1 + bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count(),
        reason: "not text".into(),
    })?;
    let mut file = VectorFile::default();
    let mut current = Entry::default();
    for (index, raw) in text.split('\n').enumerate() {
        let line = index + 1;
        let content = raw.trim();
        if content.is_empty() {
            file.close(&mut current)?;
            continue;
        }
        if let Some(comment) = content.strip_prefix('#') {
            if file.entries.is_empty() && file.shared.is_none() && current.fields.is_empty() {
                file.header.push(comment.trim().to_owned());
            }
            continue;
        }
        let field = parse_line(content, line)?;
        if FIRST_LABELS.contains(&field.name.as_str()) && !current.fields.is_empty() {
            return Err(ParseError {
                line,
                reason: format!("{:?} inside an entry: a blank line is missing before it", field.name),
            });
        }
        current.fields.push(field);
    }
    file.close(&mut current)?;
    Ok(file)
}

impl VectorFile {
    fn close(&mut self, current: &mut Entry) -> Result<(), ParseError> {
        if current.fields.is_empty() {
            return Ok(());
        }
        let entry = core::mem::take(current);
        entry.check()?;
        if entry.begins_like_an_entry() {
            self.entries.push(entry);
        } else if self.shared.is_none() && self.entries.is_empty() {
            self.shared = Some(entry);
        } else {
            let line = entry.fields.first().map_or(0, |field| field.line);
            return Err(ParseError { line, reason: "an entry must begin with `count` or `case`".into() });
        }
        Ok(())
    }
}

fn parse_line(content: &str, line: usize) -> Result<Field, ParseError> {
    let cut = if content.starts_with("neg ") && !content["neg ".len()..].trim_start().starts_with('=') {
        content.rfind('=')
    } else {
        content.find('=')
    };
    let (name, value) = match cut {
        Some(at) => (content[..at].trim(), content[at + 1..].trim()),
        None => return Err(ParseError { line, reason: "no `=` in the line".into() }),
    };
    if name.is_empty() {
        return Err(ParseError { line, reason: "no label before `=`".into() });
    }
    Ok(Field { name: name.into(), value: value.into(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_comments_and_shared_fields() {
        let file = parse(
            b"# a header\n\nseed = 00\nmlen=1\n\n# note\ncase = 0\nmsg =\nneg a = b = reject\nflip_bit = 1\nflip_bit = 2\n\ncount = 1\nsm = aB\n",
        )
        .expect("good file");
        assert_eq!(file.header, ["a header"]);
        assert_eq!(file.shared.as_ref().map(|entry| entry.fields.len()), Some(2));
        assert_eq!(file.entries.len(), 2);
        let fields: Vec<(&str, &str)> =
            file.entries[0].fields.iter().map(|field| (field.name.as_str(), field.value.as_str())).collect();
        assert_eq!(
            fields,
            [("case", "0"), ("msg", ""), ("neg a = b", "reject"), ("flip_bit", "1"), ("flip_bit", "2")]
        );
    }

    #[test]
    fn bad_files_are_refused() {
        for (bad, line) in [
            (&b"count = 0\nseed"[..], 2),
            (b"count = 0\n= 3", 2),
            (b"count = 0\ncount = 1\n", 2),
            (b"count = 0\nseed = 0\nseed = 1\n", 3),
            (b"count = 0\n\nseed = 0\n", 3),
            (b"seed = 0\n\nseed = 1\n", 3),
            (b"count = 0\n\xff = 1\n", 2),
        ] {
            assert_eq!(parse(bad).map_err(|error| error.line), Err(line));
        }
    }
}
