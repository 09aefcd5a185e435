//! The Merkle forest over the leaf hashes.

use alloc::vec;
use alloc::vec::Vec;

use super::DualParameters;
use super::hash::sha3_many;

/// Grows the forest: `stored` ends with the leaf hashes, behind `begin` bytes of something else; all levels below the roots are
/// appended, each in the order of the indices. Gives the roots.
pub(super) fn grow(parameters: &DualParameters, stored: &mut Vec<u8>, begin: usize) -> Vec<u8> {
    let digest_len = parameters.security.digest_len();
    let (mut begin, mut nodes) = (begin, parameters.points());
    for level in 1..=parameters.path_nodes() {
        let mut parents = vec![0; nodes / 2 * digest_len];
        sha3_many(parameters.security, &stored[begin..], 2 * digest_len, &mut parents);
        if level == parameters.path_nodes() {
            return parents;
        }
        begin = stored.len();
        nodes /= 2;
        stored.extend_from_slice(&parents);
    }
    stored.split_off(begin)
}

/// The roots of all levels below them.
pub(super) fn roots(parameters: &DualParameters, levels: &[u8]) -> Vec<u8> {
    let digest_len = parameters.security.digest_len();
    let top = 2 * parameters.roots_len();
    let mut roots = vec![0; parameters.roots_len()];
    sha3_many(parameters.security, &levels[levels.len() - top..], 2 * digest_len, &mut roots);
    roots
}

/// Appends the authentication path of a leaf: from the leaf upwards the sibling of every node on the way.
pub(super) fn append_path(parameters: &DualParameters, levels: &[u8], leaf: usize, path: &mut Vec<u8>) {
    let digest_len = parameters.security.digest_len();
    let (mut begin, mut nodes, mut index) = (0, parameters.points(), leaf);
    for _ in 0..parameters.path_nodes() {
        let sibling = (begin + (index ^ 1)) * digest_len;
        path.extend_from_slice(&levels[sibling..sibling + digest_len]);
        begin += nodes;
        nodes /= 2;
        index /= 2;
    }
}

/// Follows authentication paths from leaf hashes to the roots, all paths a level at a time. `leaves` are the indices, `hashes`
/// the leaf hashes one after another, `paths` the paths one after another. True if every path ends in its root.
pub(super) fn paths_lead_to_roots(
    parameters: &DualParameters,
    leaves: &[usize],
    mut hashes: Vec<u8>,
    paths: &[u8],
    roots: &[u8],
) -> bool {
    let digest_len = parameters.security.digest_len();
    let path_len = parameters.path_nodes() * digest_len;
    let mut pairs = vec![0; 2 * hashes.len()];
    for level in 0..parameters.path_nodes() {
        for (k, (&leaf, pair)) in leaves.iter().zip(pairs.chunks_exact_mut(2 * digest_len)).enumerate() {
            let (left, right) = pair.split_at_mut(digest_len);
            let (own, sibling) = if leaf >> level & 1 == 0 { (left, right) } else { (right, left) };
            own.copy_from_slice(&hashes[k * digest_len..(k + 1) * digest_len]);
            let begin = k * path_len + level * digest_len;
            sibling.copy_from_slice(&paths[begin..begin + digest_len]);
        }
        sha3_many(parameters.security, &pairs, 2 * digest_len, &mut hashes);
    }
    leaves.iter().zip(hashes.chunks_exact(digest_len)).all(|(&leaf, hash)| {
        let root = (leaf >> parameters.path_nodes()) * digest_len;
        *hash == roots[root..root + digest_len]
    })
}
