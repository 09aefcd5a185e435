//! What the walks over the registry share: generators that misbehave, threads with little stack, the choice of sets.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use kat_vectors::NistDrbg;
use schemes::Family;
use schemes::registry::{self, Set};

/// Set this variable to walk over every set of every family, not over the quick ones.
pub(crate) const ALL_SETS: &str = "MQSUITE_ALL_SETS";

/// The sets of one family that are walked over: those named (quick ones, different in kind, possibly toys), and with [`ALL_SETS`]
/// every listed one.
pub(crate) fn chosen(family: Family, quick: &[&str]) -> Vec<Set> {
    let all = std::env::var_os(ALL_SETS).is_some();
    let mut sets: Vec<Set> =
        quick.iter().map(|name| registry::find(name).unwrap_or_else(|error| panic!("{error}"))).collect();
    if all {
        sets.extend(registry::family(family).filter(|set| !quick.contains(&set.info().name)));
    }
    assert!(sets.iter().all(|set| set.info().family == family), "a set of another family");
    assert!(!sets.is_empty(), "no set of {} is walked over", family.name());
    sets
}

/// Runs `work` in a thread with a stack of 512 KiB, which is what ordinary threads of some platforms have. Fails if it does not
/// end within ten minutes: nothing here may hang.
pub(crate) fn with_little_stack<T: Send + 'static>(
    what: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (sender, receiver) = channel();
    let thread = thread::Builder::new()
        .name(what.to_owned())
        .stack_size(512 << 10)
        .spawn(move || sender.send(work()))
        .expect("thread");
    match receiver.recv_timeout(Duration::from_secs(600)) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("{what} does not end"),
        Err(RecvTimeoutError::Disconnected) => {
            let reason = thread.join().err();
            let text = reason.as_ref().and_then(|reason| {
                reason
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or_else(|| reason.downcast_ref::<&str>().copied())
            });
            panic!("{what}: {}", text.unwrap_or("a panic"));
        }
    }
}

/// A deterministic generator.
pub(crate) fn random(label: &str) -> NistDrbg {
    let mut seed = [0x5a; 48];
    for (byte, letter) in seed.iter_mut().zip(label.bytes()) {
        *byte = letter;
    }
    NistDrbg::new(&seed)
}

/// Which of `count` requests are made to fail: all of up to 40, else the first and last ones and some between.
pub(crate) fn failing_requests(count: usize) -> Vec<usize> {
    if count <= 40 {
        return (0..count).collect();
    }
    let mut chosen: Vec<usize> = (0..12).chain(count - 12..count).collect();
    chosen.extend((1..16).map(|i| 12 + i * (count - 24) / 16));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}
