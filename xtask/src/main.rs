//! The commands of the project.
mod supercop;

fn main() {}
