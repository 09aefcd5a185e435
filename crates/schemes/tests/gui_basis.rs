//! The towers of fields of Gui's key format. The module is private: its file and the tests in it are compiled here.

#![allow(dead_code, reason = "what the crate uses of the module is not used here")]
#![allow(clippy::unwrap_used, reason = "a test that fails panics")]
#![cfg(feature = "gui")]

extern crate alloc;

#[path = "../src/gui/basis.rs"]
mod basis;
