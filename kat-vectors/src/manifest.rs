//! The manifests: which digests exist, and where they are published.

use crate::digest::Form;

/// The text of every manifest, by family.
pub const MANIFESTS: &[(&str, &str)] = &[
    ("gemss", include_str!("../manifests/gemss.tsv")),
    ("gui", include_str!("../manifests/gui.tsv")),
    ("dualmodems", include_str!("../manifests/dualmodems.tsv")),
    ("uov", include_str!("../manifests/uov.tsv")),
    ("mayo", include_str!("../manifests/mayo.tsv")),
    ("qruov", include_str!("../manifests/qruov.tsv")),
    ("mceliece", include_str!("../manifests/mceliece.tsv")),
    ("supercop", include_str!("../manifests/supercop.tsv")),
];

/// One row of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Registry name of the set.
    pub set: String,
    /// Which bytes are hashed.
    pub form: Form,
    /// How many counts they cover, from count 0; 0 for SUPERCOP's checksums.
    pub counts: usize,
    /// The header line without `# `; `None` where the form has none.
    pub header: Option<String>,
    /// Lower-case hexadecimal.
    pub digest: String,
    /// Where the digest is published, or `this project`.
    pub source: String,
}

/// Why a manifest row was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("manifest {family}, line {line}: {reason}")]
pub struct ManifestError {
    /// Which manifest.
    pub family: String,
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// Every row of every manifest.
///
/// # Errors
/// The first row that breaks the format.
pub fn all() -> Result<Vec<Record>, ManifestError> {
    let mut records = Vec::new();
    for (family, text) in MANIFESTS {
        records.extend(parse(family, text)?);
    }
    Ok(records)
}

/// Parses one manifest.
///
/// # Errors
/// The first row that breaks the format.
pub fn parse(family: &str, text: &str) -> Result<Vec<Record>, ManifestError> {
    let mut records: Vec<Record> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let refuse = |reason: String| ManifestError { family: family.into(), line: index + 1, reason };
        let record = parse_row(line).map_err(refuse)?;
        if records.iter().any(|other| {
            (&other.set, other.form, other.counts, &other.header)
                == (&record.set, record.form, record.counts, &record.header)
        }) {
            return Err(refuse(format!("{} {} stands twice", record.set, record.form.name())));
        }
        records.push(record);
    }
    Ok(records)
}

fn parse_row(line: &str) -> Result<Record, String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [set, form, counts, header, digest, source] = columns.as_slice() else {
        return Err(format!("{} columns, expected 6", columns.len()));
    };
    let form = Form::ALL
        .into_iter()
        .find(|known| known.name() == *form)
        .ok_or_else(|| format!("unknown form {form:?}"))?;
    let counts: usize = counts.parse().map_err(|_| format!("counts {counts:?} is no number"))?;
    if form.is_of_answers() == (counts == 0) {
        return Err(format!("{} counts do not fit the form {}", counts, form.name()));
    }
    if matches!(form, Form::Single | Form::Pk0) && counts != 1 {
        return Err(format!("the form {} covers one count", form.name()));
    }
    let header = (*header != "-").then(|| (*header).to_owned());
    if form.has_header() != header.is_some() {
        return Err(format!("the form {} and the header do not fit", form.name()));
    }
    let lower_hex = digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    if digest.len() != 2 * form.digest_len() || !lower_hex {
        return Err(format!("no digest of {} bytes in lower-case hexadecimal", form.digest_len()));
    }
    if set.is_empty() || source.trim().is_empty() {
        return Err("set or source is empty".into());
    }
    Ok(Record {
        set: (*set).to_owned(),
        form,
        counts,
        header,
        digest: (*digest).to_owned(),
        source: (*source).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_manifest_parses() {
        assert!(all().is_ok(), "{:?}", all().err());
    }

    #[test]
    fn bad_rows_are_refused() {
        let digest = "00".repeat(32);
        let good = format!("a\tsingle\t1\t-\t{digest}\there");
        assert_eq!(parse("f", &good).map(|rows| rows.len()), Ok(1));
        for bad in [
            format!("a\tsingle\t1\t-\t{digest}"),
            format!("a\tsingel\t1\t-\t{digest}\there"),
            format!("a\tsingle\t2\t-\t{digest}\there"),
            format!("a\tsingle\t0\t-\t{digest}\there"),
            format!("a\tsingle\t1\tNAME\t{digest}\there"),
            format!("a\trsp\t1\t-\t{digest}\there"),
            format!("a\tsingle\t1\t-\t{}\there", "0g".repeat(32)),
            format!("a\tsingle\t1\t-\t{}\there", "00".repeat(31)),
            format!("a\tgit-blob\t1\tNAME\t{digest}\there"),
            format!("a\tsingle\t1\t-\t{digest}\t "),
            format!("{good}\n{good}"),
        ] {
            assert!(parse("f", &bad).is_err(), "accepted: {bad}");
        }
    }
}
