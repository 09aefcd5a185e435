//! Check values of the generic layer: seed 00 01 .. 1f, made by an independent slow model of the same definition; all digests SHA-256.

#![allow(clippy::unwrap_used)]

use goppa_keygen::{Error, Niederreiter};
use sha2::{Digest, Sha256};

struct Vector {
    set: (usize, usize, usize),
    modulus: &'static [(usize, u16)],
    attempts: u32,
    /// Digests of the polynomial and the support as 16-bit little-endian words, of the public key, of the error positions in ascending order
    /// (16-bit words), and of the ciphertext.
    polynomial: &'static str,
    support: &'static str,
    public_key: &'static str,
    positions: &'static str,
    ciphertext: &'static str,
}

const VECTORS: [Vector; 12] = [
    Vector {
        set: (4, 2, 16),
        modulus: &[(1, 0x1), (0, 0x8)],
        attempts: 3,
        polynomial: "dc1d1260825693b67e7d9e49c06c38bd9994e15ff76bbb0b6da818c4672a94d4",
        support: "14f503fdf475845f623bbd4fbe868ec409a68bcfdec483cf12c879809afe176d",
        public_key: "15aa086ccd97d559fd928613813ed3db7bfe07edb613afc6f1c03e1f1113acc3",
        positions: "787fc0045216c4fcfcdd1955e4eaa50b34e9be9b1c0cac2dd7b7d6a903b5608f",
        ciphertext: "4c94485e0c21ae6c41ce1dfe7b6bfaceea5ab68e40a2476f50208e526f506080",
    },
    Vector {
        set: (5, 3, 32),
        modulus: &[(1, 0x1), (0, 0x1)],
        attempts: 3,
        polynomial: "c2196a2f5642d21d869d87f60646504b3845d3d92fbeaeb0cba6efaa680a1ece",
        support: "15b7d94e9790d6f080d36e720a8616f80f208091aedb231ffbd84ed128f9a4d4",
        public_key: "b51b8f0b2b33dea15c74b9355748562c1237b7be68dbb2f5a1b61beb9808d15c",
        positions: "c9f7a963f74fe358bbd4ed30309ed55331677b1db32a5518dc1376c6dc0b2118",
        ciphertext: "d50a4c4b8f0a10b4e78222c097ec5b3995c4c6f2ff7c49ed10cd7e8d3a89c75a",
    },
    Vector {
        set: (6, 4, 50),
        modulus: &[(3, 0x1), (1, 0x1), (0, 0x2)],
        attempts: 2,
        polynomial: "9585e917754dcdb72995f3d02c3b314fee03942c5e2df3d1c5197a72f9fd98ef",
        support: "c536a3f39dd304735aa944ea988b6ffb6c3e5005346adbe5e866aa038bddb8ea",
        public_key: "719dcfb3256ec80c11dc525c06b8f284db0f5078cad00125f341c3616d7ae002",
        positions: "d3afcdb81ebea7299dc758bfdb868daf83a9416c2c50b28e7919be71e1db9175",
        ciphertext: "3eea50f1a8731d95094d9b3d9ea65e5a2ffed5c09cb93e8a0357b34a25d5835a",
    },
    Vector {
        set: (8, 8, 256),
        modulus: &[(7, 0x1), (1, 0x1), (0, 0x2)],
        attempts: 2,
        polynomial: "33105b946dc5d6839f561e2077bf719c2f8f08c8def26fc702b4c2f104e2ed45",
        support: "df029da850d7715a34a97c5b45824d42716c8b832db51cf56874d700206255d3",
        public_key: "a40f5ab5e616a66963f2818db4d16ff8e1a2484dacd0b53eeb3c82636cd950da",
        positions: "ebb5af68913b3ba1b421a215e058dbb9f2b5f3b59f50420df75cfee7de850910",
        ciphertext: "cf770e2d7bc58615d9a8c386924bb58a6c64d401c0570b73a7c102900d5c78ff",
    },
    Vector {
        set: (10, 20, 1000),
        modulus: &[(5, 0x1), (2, 0x1), (0, 0x2)],
        attempts: 2,
        polynomial: "a6c7b67807a17f2e5fffea4554b7514873285b0ac8292ada60da5114770531fc",
        support: "f911dcfd3e6d2570cc4073fdd73de7dbf7ab97ebf6431d20eb3f3f145d549d26",
        public_key: "bd6f471be670bc51824f3c13164a51354492dabd112417665d4447666b7cd5ba",
        positions: "cd8f47a0faf463630110f44af33f156db21c52a89c1e5e2a63a1e486dfa5b406",
        ciphertext: "6b1afae8aa86ddaf989a340839a615874a84b8a404e7e5c346c1a32a37801a05",
    },
    Vector {
        set: (11, 27, 2048),
        modulus: &[(5, 0x1), (2, 0x1), (1, 0x1), (0, 0x1)],
        attempts: 3,
        polynomial: "47481d88468119425a59f2a828b9cacb8cd259e9bf9706478c3787cd4fd3a912",
        support: "2cfbb695a72b56fed68dbe2c81a3ab498857ac368d57f12956d3de1f4a927238",
        public_key: "b47118b01f0eaddbf1e099c9a32b1570907831851184ee338d0b82a4e952913a",
        positions: "565a8771632984cf297ad38b9b0d9df57e21706fc5e7ce324c1c1941798baf15",
        ciphertext: "a29920761dccb6f8341fd64a70d542088e92ba5a2f6da7382923881ab1f7cc1c",
    },
    Vector {
        set: (11, 50, 2048),
        modulus: &[(4, 0x1), (3, 0x1), (2, 0x1), (0, 0x1)],
        attempts: 1,
        polynomial: "d243335fd815d38b7f20f77f60ab34527e407dc7ef84561683cb50bf04aebd9f",
        support: "3c71a15008f535679e55139cf21f5c12b827cdeaf6063f4261fe802fc8b741a3",
        public_key: "4ca52117d5fecdb262cd5d7c87e65baa55ad42cd8303921659078dcb15dab517",
        positions: "1d3ad44a34802413e6e52e70c234bc85210791706881d44295eae837369d3e61",
        ciphertext: "4ad8009d6b1665566267ecf44ad835ddfa46bd4adbe3e97c9c5f7cf2548000d3",
    },
    Vector {
        set: (12, 66, 3307),
        modulus: &[(29, 0x1), (13, 0x1), (0, 0x2)],
        attempts: 2,
        polynomial: "967a35a19549a730654cf79d16655d67794e141125661e358b5ba6a3e986c818",
        support: "edc4dafaa31e0d4c9e911d5bfcb21e6586d8a5225bb685fd2bfac8f7821bd77f",
        public_key: "5b381890a8544fe29783e32fda37c26c180c38a5a3929b094d96ef9902335ea2",
        positions: "688795a5a58f9d38cd9af24279b3b143c1eee8100934e76b4571d6622a691a1f",
        ciphertext: "462183954cb12fce08e11e268f00f97769ad8a239fd2305582204e6fe7287e97",
    },
    Vector {
        set: (13, 119, 6960),
        modulus: &[(8, 0x1), (0, 0x1)],
        attempts: 2,
        polynomial: "5b12a6e45694a8ab8a326f7db972dd615b85ad1c7ac3e17b1666b4d51fa96a05",
        support: "23b84feba81801bb44e9662e236b979b7f258604a3c4ec6842e7f175898f868a",
        public_key: "dccfd362071e04eb610b1c0c1274a2773fda6d1e078d551e562eb4c84a5baf47",
        positions: "740f706848a438ca10bfb49d93e618ef4d7cad13faf99f56b0ff1cbf619c79d3",
        ciphertext: "b87b7321aed4be5abe1134ce8deeff0500fbcdb6b74d226ea6e1fb718c4e70c0",
    },
    Vector {
        set: (13, 128, 8192),
        modulus: &[(7, 0x1), (2, 0x1), (1, 0x1), (0, 0x1)],
        attempts: 1,
        polynomial: "57d99ab6aa57a3752c31114ec5e3c601b533d36ca9e4a1e04b44347b28d7895b",
        support: "e3e29da6996dcf3388aef7f56c243c9ba9826f22e22233339083ffb253b11caf",
        public_key: "f436c4f2f41be7e49a8d76b66241979004fb90d8d651b4770a069a62cf53c89d",
        positions: "b466ddb20440ed900a024788d3b549cbe0e35f7d3c533001e782192ab5c5498b",
        ciphertext: "a2f641173715cb0bfc9c5f579e04a4fa1929044d6940883fd9bb783c39201206",
    },
    Vector {
        set: (14, 60, 5000),
        modulus: &[(11, 0x1), (9, 0x1), (0, 0x2)],
        attempts: 1,
        polynomial: "92c6d5609ea7a80b70b76b38df10432a41271cb76e667b43dc1ac9565936ff45",
        support: "074befe9be2ae5c5adae9cd6757cf48b9de36131fa4ba970bf708056ebdeed8a",
        public_key: "39c699e2e5c2479e966a85117ae25356ba0e50766eefc6a788f0f33c3215e94d",
        positions: "4d1356034caab8caf417029d919b0406f65dfe1940ab0be44600ecdbc92e04e0",
        ciphertext: "80d311013de693bada4d7c5ee2a3b784610e1cd4da789dd5cd50015fd37a8d7a",
    },
    Vector {
        set: (16, 12, 4096),
        modulus: &[(5, 0x1), (3, 0x1), (0, 0x2)],
        attempts: 4,
        polynomial: "27777b4a684bfce52c393b81a2eebd80b932780f25e72d3ac326b1b588135716",
        support: "8350f1efff7df1e98304f119baeaa3334b7a9d3b37afb9df3b37d64ebd294627",
        public_key: "2966b7e2a81c3c3e63f126c7c76e644f47d1769011064f3360ca105bae8c3810",
        positions: "1af791de0f50176facbc84168b24c7c05a59c4a864422858dca9776a5630cee0",
        ciphertext: "3c824df887be8fae5c18930957cb61c76e08e3c1d2bbbf1303e3a16811a399e5",
    },
];

fn digest(bytes: impl IntoIterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.into_iter().collect();
    Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn words(list: &[u16]) -> impl Iterator<Item = u8> {
    list.iter().flat_map(|word| word.to_le_bytes())
}

fn ones(error: &[u8]) -> Vec<u16> {
    (0..8 * error.len() as u32)
        .filter(|i| error[*i as usize / 8] >> (i % 8) & 1 == 1)
        .map(|i| i as u16)
        .collect()
}

#[test]
fn check_values() {
    let seed: Vec<u8> = (0..32).collect();
    for vector in &VECTORS {
        let (m, t, n) = vector.set;
        let code = Niederreiter::new(m, t, n).unwrap();
        let mut terms = code.extension().terms().to_vec();
        let mut expected = vector.modulus.to_vec();
        terms.sort_unstable();
        expected.sort_unstable();
        assert_eq!(terms, expected, "{:?}", vector.set);
        let pair = code.generate(&seed).unwrap();
        assert_eq!(pair.attempts, vector.attempts, "{:?}", vector.set);
        assert_eq!(digest(words(pair.secret_key.polynomial())), vector.polynomial, "{:?}", vector.set);
        assert_eq!(digest(words(pair.secret_key.support())), vector.support);
        assert_eq!(digest(pair.public_key.iter().copied()), vector.public_key, "{:?}", vector.set);
        let encryption = code.encrypt(&pair.public_key, &seed).unwrap();
        assert_eq!(digest(words(&ones(&encryption.error))), vector.positions);
        assert_eq!(digest(encryption.ciphertext.iter().copied()), vector.ciphertext, "{:?}", vector.set);
        let error = pair.secret_key.decrypt(&encryption.ciphertext).unwrap();
        assert_eq!(*error, *encryption.error, "{:?}", vector.set);
    }
}

#[test]
fn bad_input_is_refused() {
    assert!(matches!(Niederreiter::new(1, 1, 2), Err(Error::Parameters { .. })));
    assert!(matches!(Niederreiter::new(17, 1, 2), Err(Error::Parameters { .. })));
    assert!(matches!(Niederreiter::new(5, 0, 20), Err(Error::Parameters { .. })));
    assert!(matches!(Niederreiter::new(5, 4, 20), Err(Error::Parameters { .. })));
    assert!(matches!(Niederreiter::new(5, 4, 33), Err(Error::Parameters { .. })));
    let code = Niederreiter::new(6, 4, 50).unwrap();
    let pair = code.generate(b"seed").unwrap();
    // 26 columns: six padding bits in every row
    let error = vec![0u8; 7];
    assert!(code.encrypt_error(&pair.public_key, &error).is_ok());
    for byte in (3..pair.public_key.len()).step_by(4) {
        for bit in 2..8 {
            let mut wrong = pair.public_key.clone();
            wrong[byte] |= 1 << bit;
            assert_eq!(code.encrypt_error(&wrong, &error), Err(Error::Padding { what: "public key", byte }));
        }
    }
    for length in [0, pair.public_key.len() - 1, pair.public_key.len() + 1] {
        assert!(matches!(code.encrypt_error(&vec![0; length], &error), Err(Error::Length { .. })));
    }
    assert!(matches!(code.encrypt_error(&pair.public_key, &[0; 6]), Err(Error::Length { .. })));
    assert!(matches!(
        code.encrypt_error(&pair.public_key, &[0, 0, 0, 0, 0, 0, 4]),
        Err(Error::Padding { what: "error", byte: 6 })
    ));
    for length in [0, 2, 4] {
        assert!(matches!(pair.secret_key.decrypt(&vec![0; length]), Err(Error::Length { .. })));
    }
    // the zero syndrome belongs to the error of weight 0, not t
    assert_eq!(pair.secret_key.decrypt(&[0; 3]).unwrap_err(), Error::Decryption);
}

/// Every error of weight t decrypts, and every other syndrome is refused: the smallest code, exhaustively.
#[test]
fn smallest_code_exhaustively() {
    let code = Niederreiter::new(4, 2, 16).unwrap();
    let pair = code.generate(b"exhaustive").unwrap();
    let mut decryptable = [false; 256];
    for a in 0..16u16 {
        for b in 0..a {
            let error = (1u16 << a | 1 << b).to_le_bytes();
            let ciphertext = code.encrypt_error(&pair.public_key, &error).unwrap();
            assert_eq!(*pair.secret_key.decrypt(&ciphertext).unwrap(), error);
            decryptable[usize::from(ciphertext[0])] = true;
        }
    }
    for syndrome in 0..=255u8 {
        assert_eq!(pair.secret_key.decrypt(&[syndrome]).is_ok(), decryptable[usize::from(syndrome)]);
    }
}
