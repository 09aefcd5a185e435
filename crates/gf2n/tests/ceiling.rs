//! The process-wide ceiling; a test program of its own, since the ceiling is global.

use gf2n::backend::{ClmulBackend, Level, set_ceiling};

/// Each level is granted under its own ceiling, and nothing above it.
#[test]
fn the_ceiling_is_kept() {
    for level in Level::ALL {
        set_ceiling(level);
        assert!(ClmulBackend::best().level() <= level);
        for higher in Level::ALL.into_iter().filter(|&higher| higher > level) {
            assert!(ClmulBackend::at(higher).is_none());
        }
    }
    set_ceiling(Level::Avx512);
}
