//! Regenerating known answers through the registry.

use anyhow::Context;
use kat_vectors::NistDrbg;
use kat_vectors::request::{Kind, Request};
use kat_vectors::response::{Answer, Output, OutputKind, OutputLengths};
use schemes::registry::Set;
use schemes::{Progress, Sizes};

/// Whether the set's files are of signatures or of encapsulations.
#[must_use]
pub fn kind(set: Set) -> Kind {
    match set {
        Set::Signature(_) => Kind::Signature,
        Set::Kem(_) => Kind::Kem,
    }
}

/// The lengths that fix the length of the set's files.
#[must_use]
pub fn output_lengths(set: Set) -> OutputLengths {
    let info = set.info();
    let output = match info.sizes {
        Sizes::Signature { signature, .. } => OutputKind::Signature(signature),
        Sizes::Kem { ciphertext, shared_secret } => OutputKind::Encapsulation(ciphertext, shared_secret),
    };
    OutputLengths { public_key: info.public_key, secret_key: info.secret_key, output }
}

/// Answers one request as NIST's program does: key pair, signature (or encapsulation), and the check that it opens.
///
/// # Errors
/// If the scheme refuses, or does not open what it made.
pub fn answer(set: Set, request: Request) -> anyhow::Result<Answer> {
    answer_with_progress(set, request, &mut |_| ())
}

/// [`answer`], which tells how far a long key generation has come.
///
/// # Errors
/// Those of [`answer`].
pub fn answer_with_progress(
    set: Set,
    request: Request,
    progress: &mut dyn FnMut(Progress),
) -> anyhow::Result<Answer> {
    let count = request.count;
    let mut random = NistDrbg::new(&request.seed);
    match set {
        Set::Signature(scheme) => {
            let pair = scheme
                .generate_with_progress(&mut random, progress)
                .with_context(|| format!("count {count}: key pair"))?;
            let mut signature = vec![0; scheme.signature_len()];
            scheme
                .sign_once(&pair.secret, &request.message, &mut random, &mut signature)
                .with_context(|| format!("count {count}: signature"))?;
            let signed = scheme.join(&signature, &request.message);
            let opened =
                scheme.open(&pair.public, &signed).with_context(|| format!("count {count}: opening"))?;
            anyhow::ensure!(opened == request.message, "count {count}: another message was opened");
            Ok(Answer {
                request,
                public_key: pair.public,
                secret_key: pair.secret.to_vec(),
                output: Output::SignedMessage(signed),
            })
        }
        Set::Kem(scheme) => {
            let Sizes::Kem { ciphertext, shared_secret } = scheme.info().sizes else {
                anyhow::bail!("{}: no KEM sizes", scheme.info().name);
            };
            let pair = scheme.generate(&mut random).with_context(|| format!("count {count}: key pair"))?;
            let (mut ciphertext, mut secret) = (vec![0; ciphertext], vec![0; shared_secret]);
            scheme
                .encapsulate(&pair.public, &mut random, &mut ciphertext, &mut secret)
                .with_context(|| format!("count {count}: encapsulation"))?;
            let mut opened = vec![0; secret.len()];
            scheme
                .decapsulate(&pair.secret, &ciphertext, &mut opened)
                .with_context(|| format!("count {count}: decapsulation"))?;
            anyhow::ensure!(opened == secret, "count {count}: another secret was decapsulated");
            Ok(Answer {
                request,
                public_key: pair.public,
                secret_key: pair.secret.to_vec(),
                output: Output::Encapsulation { ciphertext, shared_secret: secret },
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::ToySign;
    use kat_vectors::digest::{AnswerDigest, Form};
    use kat_vectors::request::Requests;

    #[test]
    fn toy_signature_files_have_the_published_digests() {
        let lengths = output_lengths(ToySign::SET);
        assert_eq!(lengths.file_len("TOYSIGN", 100), 711_939);
        let answers: Vec<Answer> = Requests::new(Kind::Signature)
            .take(100)
            .map(|request| answer(ToySign::SET, request).expect("a toy never fails"))
            .collect();
        for (form, counts, expected) in [
            (Form::Rsp, 100, "08250ba05d1006107827d8d2b1dc20d90501ac175eaab38d55808d587b5fea49"),
            (Form::Single, 1, "dec1bd4076974cbc140010f643f106c65efb455d25654eae58a6272ea3a5669c"),
            (Form::All, 100, "709aa8fa6f1579e199c4474c54acbe963cd78acaacf13e690f0cfbecfc399b75"),
        ] {
            let mut digest = AnswerDigest::new(form, "TOYSIGN", counts, &lengths).expect("of answers");
            answers.iter().for_each(|answer| digest.absorb(answer));
            assert_eq!(digest.finish().as_deref(), Some(expected), "{}", form.name());
        }
        let mut short = AnswerDigest::new(Form::Rsp, "TOYSIGN", 100, &lengths).expect("of answers");
        answers[..99].iter().for_each(|answer| short.absorb(answer));
        assert_eq!(short.finish(), None);
    }
}
