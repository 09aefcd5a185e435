//! What needs `unsafe`: the heap, and painting the stack.

pub mod memory;
