//! Figures that others published, all of other machines.

/// One published figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Which table it stands in.
    pub table: &'static str,
    /// Registry names of the sets that it is about, or nearest to: the table's own name is in `label`.
    pub sets: &'static str,
    /// The name in the table.
    pub label: &'static str,
    /// Operation, and message length where the table has several.
    pub operation: &'static str,
    /// Which statistic.
    pub statistic: &'static str,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Whose machine.
    pub machine: &'static str,
    /// Where it is published.
    pub source: &'static str,
}

const TABLE: &str = include_str!("../published.tsv");

/// Every figure.
pub fn all() -> impl Iterator<Item = Figure> {
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(parse)
}

/// The figures of one table about one set.
pub fn about<'s>(table: &'s str, set: &'s str) -> impl Iterator<Item = Figure> + 's {
    all().filter(move |figure| figure.table == table && figure.sets.split(' ').any(|name| name == set))
}

fn parse(line: &'static str) -> Option<Figure> {
    let mut columns = line.split('\t');
    let mut next = || columns.next();
    Some(Figure {
        table: next()?,
        sets: next()?,
        label: next()?,
        operation: next()?,
        statistic: next()?,
        value: next()?.parse().ok()?,
        unit: next()?,
        machine: next()?,
        source: next()?,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_line_is_a_figure() {
        let lines = super::TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert!(lines > 500);
        assert_eq!(super::all().count(), lines);
    }

    #[test]
    fn the_main_table_is_found_by_set() {
        let found: Vec<_> = super::about("mqsoft-page", "gemss128-r3").collect();
        assert_eq!(found.len(), 6);
        assert!(found.iter().any(|figure| figure.operation == "sign" && figure.unit == "ms"));
    }
}
