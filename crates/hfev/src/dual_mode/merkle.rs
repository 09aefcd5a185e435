//! The Merkle forest over the leaf hashes.

use alloc::vec;
use alloc::vec::Vec;

use super::DualParameters;
use super::hash::sha3_many;

/// All levels below the roots, in the stored order: the leaf hashes, then every level above, each in the order of the indices.
#[derive(Clone)]
pub(super) struct Forest {
    levels: Vec<u8>,
}

impl Forest {
    /// Builds the forest over leaf hashes; gives it and the roots.
    pub(super) fn grow(parameters: &DualParameters, mut leaf_hashes: Vec<u8>) -> (Self, Vec<u8>) {
        let digest_len = parameters.security.digest_len();
        leaf_hashes.reserve_exact(parameters.tree_len() + parameters.roots_len() - leaf_hashes.len());
        let mut levels = leaf_hashes;
        let (mut begin, mut nodes) = (0, parameters.points());
        for _ in 0..parameters.path_nodes() {
            let mut parents = vec![0; nodes / 2 * digest_len];
            sha3_many(parameters.security, &levels[begin..], 2 * digest_len, &mut parents);
            begin = levels.len();
            nodes /= 2;
            levels.extend_from_slice(&parents);
        }
        let roots = levels.split_off(begin);
        (Self { levels }, roots)
    }

    /// A forest from its stored bytes, of the right length.
    pub(super) fn from_bytes(levels: Vec<u8>) -> Self {
        Self { levels }
    }

    /// The roots of stored levels.
    pub(super) fn roots(&self, parameters: &DualParameters) -> Vec<u8> {
        let digest_len = parameters.security.digest_len();
        let top = 2 * parameters.roots_len();
        let mut roots = vec![0; parameters.roots_len()];
        sha3_many(parameters.security, &self.levels[self.levels.len() - top..], 2 * digest_len, &mut roots);
        roots
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.levels
    }

    /// Appends the authentication path of a leaf: from the leaf upwards the sibling of every node on the way.
    pub(super) fn append_path(&self, parameters: &DualParameters, leaf: usize, path: &mut Vec<u8>) {
        let digest_len = parameters.security.digest_len();
        let (mut begin, mut nodes, mut index) = (0, parameters.points(), leaf);
        for _ in 0..parameters.path_nodes() {
            let sibling = (begin + (index ^ 1)) * digest_len;
            path.extend_from_slice(&self.levels[sibling..sibling + digest_len]);
            begin += nodes;
            nodes /= 2;
            index /= 2;
        }
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
