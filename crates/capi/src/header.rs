//! The C header, written from the registry: prototypes, error codes, sizes, and the NIST calls of every set as inline functions.

use std::fmt::Write as _;

use schemes::registry::{self, Set};

use crate::code;
use crate::set::SetSizes;

/// The prototypes; a test compares them with the functions that the library exports.
const PROTOTYPES: &str = "\
/* Replaces the operating system's generator for the whole process; NULL restores it. The function returns 0 on success. */
typedef int (*mqsuite_randombytes)(uint8_t *destination, size_t length);
void mqsuite_set_randombytes(mqsuite_randombytes function);

/* Lengths in bytes; those that do not apply are 0. message_first: 1 where a signed message begins with the message. */
typedef struct {
    size_t public_key, secret_key, signature, ciphertext, shared_secret, message_first;
} mqsuite_set_sizes;
int mqsuite_sizes(const char *name, mqsuite_set_sizes *sizes);

/* Name of set number `index`; MQSUITE_ERROR_UNKNOWN_SET past the last one. 64 bytes hold every name. */
int mqsuite_set_name(size_t index, char *name, size_t length);

/* Checked calls. On error no output is written; outputs may overlap inputs. */
int mqsuite_keypair(const char *name, uint8_t *public_key, size_t public_key_length,
                    uint8_t *secret_key, size_t secret_key_length);
int mqsuite_sign(const char *name, uint8_t *signature, size_t signature_length, const uint8_t *message, size_t message_length,
                 const uint8_t *secret_key, size_t secret_key_length);
int mqsuite_verify(const char *name, const uint8_t *signature, size_t signature_length, const uint8_t *message,
                   size_t message_length, const uint8_t *public_key, size_t public_key_length);
int mqsuite_encapsulate(const char *name, uint8_t *ciphertext, size_t ciphertext_length, uint8_t *shared_secret,
                        size_t shared_secret_length, const uint8_t *public_key, size_t public_key_length);
int mqsuite_decapsulate(const char *name, uint8_t *shared_secret, size_t shared_secret_length, const uint8_t *ciphertext,
                        size_t ciphertext_length, const uint8_t *secret_key, size_t secret_key_length);

/* The NIST calls, with the name of the set first. */
int mqsuite_crypto_sign_keypair(const char *name, unsigned char *pk, unsigned char *sk);
int mqsuite_crypto_sign(const char *name, unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *sk);
int mqsuite_crypto_sign_open(const char *name, unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                             unsigned long long smlen, const unsigned char *pk);
int mqsuite_crypto_kem_keypair(const char *name, unsigned char *pk, unsigned char *sk);
int mqsuite_crypto_kem_enc(const char *name, unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int mqsuite_crypto_kem_dec(const char *name, unsigned char *ss, const unsigned char *ct, const unsigned char *sk);
";

/// A registry name as part of a C identifier: lower case, everything but letters and digits an underscore.
#[must_use]
pub fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}

fn set_section(out: &mut String, set: Set) -> core::fmt::Result {
    let name = set.info().name;
    let lower = identifier(name);
    let upper = lower.to_ascii_uppercase();
    let sizes = SetSizes::of(set);
    writeln!(out, "\n/* {name} ({}) */", set.info().version)?;
    writeln!(out, "#define MQSUITE_{upper}_PUBLICKEYBYTES {}", sizes.public_key)?;
    writeln!(out, "#define MQSUITE_{upper}_SECRETKEYBYTES {}", sizes.secret_key)?;
    match set {
        Set::Signature(_) => {
            writeln!(out, "#define MQSUITE_{upper}_BYTES {}", sizes.signature)?;
            write!(
                out,
                "static inline int mqsuite_{lower}_crypto_sign_keypair(unsigned char *pk, unsigned char *sk) {{\n    \
                 return mqsuite_crypto_sign_keypair(\"{name}\", pk, sk);\n}}\n\
                 static inline int mqsuite_{lower}_crypto_sign(unsigned char *sm, unsigned long long *smlen, \
                 const unsigned char *m, unsigned long long mlen, const unsigned char *sk) {{\n    \
                 return mqsuite_crypto_sign(\"{name}\", sm, smlen, m, mlen, sk);\n}}\n\
                 static inline int mqsuite_{lower}_crypto_sign_open(unsigned char *m, unsigned long long *mlen, \
                 const unsigned char *sm, unsigned long long smlen, const unsigned char *pk) {{\n    \
                 return mqsuite_crypto_sign_open(\"{name}\", m, mlen, sm, smlen, pk);\n}}\n"
            )
        }
        Set::Kem(_) => {
            writeln!(out, "#define MQSUITE_{upper}_CIPHERTEXTBYTES {}", sizes.ciphertext)?;
            writeln!(out, "#define MQSUITE_{upper}_BYTES {}", sizes.shared_secret)?;
            write!(
                out,
                "static inline int mqsuite_{lower}_crypto_kem_keypair(unsigned char *pk, unsigned char *sk) {{\n    \
                 return mqsuite_crypto_kem_keypair(\"{name}\", pk, sk);\n}}\n\
                 static inline int mqsuite_{lower}_crypto_kem_enc(unsigned char *ct, unsigned char *ss, \
                 const unsigned char *pk) {{\n    return mqsuite_crypto_kem_enc(\"{name}\", ct, ss, pk);\n}}\n\
                 static inline int mqsuite_{lower}_crypto_kem_dec(unsigned char *ss, const unsigned char *ct, \
                 const unsigned char *sk) {{\n    return mqsuite_crypto_kem_dec(\"{name}\", ss, ct, sk);\n}}\n"
            )
        }
    }
}

/// The text of `mqsuite.h`.
///
/// # Errors
/// None in practice: writing to a string does not fail.
pub fn text() -> Result<String, core::fmt::Error> {
    let mut out = String::from(
        "/* mqsuite: multivariate and Goppa-code cryptography. Written from the registry by `cargo xtask dist`. */\n\
         #ifndef MQSUITE_H\n#define MQSUITE_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {\n#endif\n\n/* Return codes. */\n",
    );
    for (name, value, meaning) in code::ALL {
        writeln!(out, "#define MQSUITE_{name} ({value}) /* {meaning} */")?;
    }
    write!(out, "\n{PROTOTYPES}")?;
    for set in registry::all() {
        set_section(&mut out, set)?;
    }
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// Every word that stands before an opening parenthesis after `marker`.
    fn names_after<'a>(source: &'a str, marker: &str) -> BTreeSet<&'a str> {
        source
            .match_indices(marker)
            .filter_map(|(at, _)| {
                let rest = &source[at + marker.len()..];
                rest.split(['(', '<']).next().filter(|name| name.starts_with("mqsuite_"))
            })
            .collect()
    }

    #[test]
    fn the_header_declares_exactly_the_exported_functions() {
        let sources = [
            include_str!("kem.rs"),
            include_str!("nist.rs"),
            include_str!("random.rs"),
            include_str!("set.rs"),
            include_str!("sign.rs"),
        ];
        let exported: BTreeSet<&str> =
            sources.iter().flat_map(|source| names_after(source, "pub unsafe extern \"C\" fn ")).collect();
        let mut declared = names_after(super::PROTOTYPES, "int ");
        declared.extend(names_after(super::PROTOTYPES, "void "));
        assert_eq!(exported, declared);
        assert_eq!(exported.len(), 14);
    }

    #[test]
    fn every_set_has_its_sizes_and_its_calls() {
        let text = super::text().unwrap();
        for set in schemes::registry::all() {
            let lower = super::identifier(set.info().name);
            assert!(text.contains(&format!("mqsuite_{lower}_crypto_")), "{lower}");
            let size = format!("MQSUITE_{}_PUBLICKEYBYTES {}", lower.to_uppercase(), set.info().public_key);
            assert!(text.contains(&size), "{size}");
        }
    }
}
