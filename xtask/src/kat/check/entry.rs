//! One entry while it is checked: which fields were used, what was compared, what differs.

use std::cell::RefCell;
use std::ops::Range;

use anyhow::{Context, bail};
use kat_vectors::rsp::{Entry, Field};

/// What became of one entry.
pub(super) struct EntryReport {
    pub(super) compared: Vec<String>,
    pub(super) unused: Vec<String>,
    pub(super) differences: Vec<String>,
}

/// An entry, with the shared head of its file behind it.
pub(super) struct View<'e> {
    set: &'static str,
    entry: &'e Entry,
    shared: Option<&'e Entry>,
    used: RefCell<Vec<bool>>,
    compared: Vec<String>,
    differences: Vec<String>,
}

impl<'e> View<'e> {
    pub(super) fn new(set: &'static str, entry: &'e Entry, shared: Option<&'e Entry>) -> Self {
        let mut used = vec![false; entry.fields.len()];
        for (index, field) in entry.fields.iter().enumerate() {
            used[index] = matches!(field.name.as_str(), "count" | "case" | "set");
        }
        Self { set, entry, shared, used: RefCell::new(used), compared: Vec::new(), differences: Vec::new() }
    }

    /// The entry's own fields.
    pub(super) fn fields(&self) -> &'e [Field] {
        &self.entry.fields
    }

    /// Marks the field at `index` as used.
    pub(super) fn use_index(&self, index: usize) -> &'e Field {
        if let Some(used) = self.used.borrow_mut().get_mut(index) {
            *used = true;
        }
        &self.entry.fields[index]
    }

    /// Whether the entry itself has this field.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entry.get(name).is_some()
    }

    /// Whether the entry itself has a field whose name is `name` or begins with `name_`.
    pub(super) fn has_any_form(&self, name: &str) -> bool {
        self.entry.fields.iter().any(|field| {
            field.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        })
    }

    /// The entry's own field among those with these indices, marked as used.
    pub(super) fn own_within(&self, mut indices: Range<usize>, name: &str) -> Option<&'e str> {
        let index = indices.find(|&index| self.entry.fields[index].name == name)?;
        Some(self.use_index(index).value.as_str())
    }

    /// The entry's own field, marked as used.
    pub(super) fn own(&self, name: &str) -> Option<&'e str> {
        let index = self.entry.fields.iter().position(|field| field.name == name)?;
        Some(self.use_index(index).value.as_str())
    }

    /// The entry's field, or that of the shared head.
    pub(super) fn text(&self, name: &str) -> Option<&'e str> {
        self.own(name).or_else(|| Some(self.shared?.get(name)?.value.as_str()))
    }

    /// The bytes of a field in hexadecimal, own or shared.
    pub(super) fn bytes(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.text(name).map(|text| decode(name, text)).transpose()
    }

    /// The number in a field, own or shared.
    pub(super) fn number(&self, name: &str) -> anyhow::Result<Option<u64>> {
        self.text(name)
            .map(|text| text.parse().with_context(|| format!("{name}: {text:?} is no number")))
            .transpose()
    }

    /// Counts one comparison of `what`, and records the difference if there is one.
    pub(super) fn compare(&mut self, what: &str, outcome: Result<(), String>) {
        self.compared.push(what.to_owned());
        if let Err(difference) = outcome {
            self.differs(&format!("{what}: {difference}"));
        }
    }

    pub(super) fn differs(&mut self, difference: &str) {
        self.differences.push(format!("{} ({}): {difference}", self.entry.label(), self.set));
    }

    pub(super) fn finish(self) -> EntryReport {
        let used = self.used.into_inner();
        let unused = self
            .entry
            .fields
            .iter()
            .zip(used)
            .filter(|(_, used)| !used)
            .map(|(field, _)| field.name.clone())
            .collect();
        EntryReport { compared: self.compared, unused, differences: self.differences }
    }
}

/// Strict hexadecimal in either case.
pub(super) fn decode(name: &str, text: &str) -> anyhow::Result<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        bail!("{name}: an odd number of hexadecimal digits");
    }
    hex::decode(text).with_context(|| format!("{name}: no hexadecimal"))
}
