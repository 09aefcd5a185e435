/* Calls every function of the interface wrongly, on the sets named as arguments: lengths one too short, one too long, zero and
 * huge, null pointers, names of nothing or of the other kind, a generator that fails. Each call must return its error code and
 * leave every output byte as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mqsuite.h"

#define UNTOUCHED 0xa5

static int failures = 0;
static int checks = 0;

/* An output buffer with a byte more than the set needs, so that a longer length is no lie about the memory. */
typedef struct {
    unsigned char *bytes;
    size_t length;
} area;

static area make(size_t length) {
    area made = {malloc(length + 1), length};
    if (!made.bytes) {
        abort();
    }
    memset(made.bytes, UNTOUCHED, length + 1);
    return made;
}

static int untouched(area a) {
    for (size_t i = 0; i <= a.length; i++) {
        if (a.bytes[i] != UNTOUCHED) {
            return 0;
        }
    }
    return 1;
}

static void code(const char *set, const char *what, int got, int wanted) {
    checks++;
    if (got != wanted) {
        printf("%s: %s: code %d, %d expected\n", set, what, got, wanted);
        failures++;
    }
}

static void clean(const char *set, const char *what, area a) {
    checks++;
    if (!untouched(a)) {
        printf("%s: %s: an output was written\n", set, what);
        failures++;
    }
}

static int failing(uint8_t *destination, size_t length) {
    (void)destination;
    (void)length;
    return 1;
}

static const long changes[] = {-1, 1};
static const size_t bad_absolute[] = {0, (size_t)-1};

/* Every wrong length of one argument of a call: `CALL` uses the variable `wrong`. */
#define EACH_WRONG_LENGTH(right, what, CALL)                                                      \
    do {                                                                                          \
        for (int i_ = 0; i_ < 4; i_++) {                                                          \
            size_t wrong = i_ < 2 ? (size_t)((long)(right) + changes[i_]) : bad_absolute[i_ - 2]; \
            code(set, what, CALL, MQSUITE_ERROR_LENGTH);                                          \
        }                                                                                         \
    } while (0)

static void keys(const char *set, const mqsuite_set_sizes *s) {
    area pk = make(s->public_key), sk = make(s->secret_key);
    EACH_WRONG_LENGTH(pk.length, "length of the public key", mqsuite_keypair(set, pk.bytes, wrong, sk.bytes, sk.length));
    EACH_WRONG_LENGTH(sk.length, "length of the secret key", mqsuite_keypair(set, pk.bytes, pk.length, sk.bytes, wrong));
    code(set, "no public key", mqsuite_keypair(set, NULL, pk.length, sk.bytes, sk.length), MQSUITE_ERROR_NULL);
    code(set, "no secret key", mqsuite_keypair(set, pk.bytes, pk.length, NULL, sk.length), MQSUITE_ERROR_NULL);
    mqsuite_set_randombytes(failing);
    code(set, "generator", mqsuite_keypair(set, pk.bytes, pk.length, sk.bytes, sk.length), MQSUITE_ERROR_RANDOM);
    mqsuite_set_randombytes(NULL);
    clean(set, "key pair", pk);
    clean(set, "key pair", sk);
    free(pk.bytes);
    free(sk.bytes);
}

static void signature_set(const char *set, const mqsuite_set_sizes *s, area pk, area sk) {
    const uint8_t message[] = "message";
    const size_t length = sizeof message;
    area signature = make(s->signature), sm = make(s->signature + length), opened = make(s->signature + length);
    unsigned long long smlen = 77, mlen = 77;
    EACH_WRONG_LENGTH(s->signature, "sign: length of the signature",
                      mqsuite_sign(set, signature.bytes, wrong, message, length, sk.bytes, sk.length));
    EACH_WRONG_LENGTH(sk.length, "sign: length of the secret key",
                      mqsuite_sign(set, signature.bytes, signature.length, message, length, sk.bytes, wrong));
    code(set, "sign: a huge message",
         mqsuite_sign(set, signature.bytes, signature.length, message, (size_t)-1, sk.bytes, sk.length), MQSUITE_ERROR_LENGTH);
    code(set, "sign: no message", mqsuite_sign(set, signature.bytes, signature.length, NULL, length, sk.bytes, sk.length),
         MQSUITE_ERROR_NULL);
    code(set, "sign: no secret key", mqsuite_sign(set, signature.bytes, signature.length, message, length, NULL, sk.length),
         MQSUITE_ERROR_NULL);
    code(set, "sign: no signature", mqsuite_sign(set, NULL, signature.length, message, length, sk.bytes, sk.length),
         MQSUITE_ERROR_NULL);
    code(set, "crypto_sign: nowhere to write", mqsuite_crypto_sign(set, NULL, &smlen, message, length, sk.bytes),
         MQSUITE_ERROR_NULL);
    code(set, "crypto_sign: no length", mqsuite_crypto_sign(set, sm.bytes, NULL, message, length, sk.bytes), MQSUITE_ERROR_NULL);
    code(set, "crypto_sign: a huge message", mqsuite_crypto_sign(set, sm.bytes, &smlen, message, ~0ULL, sk.bytes),
         MQSUITE_ERROR_LENGTH);
    code(set, "a KEM call", mqsuite_crypto_kem_enc(set, sm.bytes, opened.bytes, pk.bytes), MQSUITE_ERROR_WRONG_KIND);
    mqsuite_set_randombytes(failing);
    code(set, "sign: generator", mqsuite_sign(set, signature.bytes, signature.length, message, length, sk.bytes, sk.length),
         MQSUITE_ERROR_RANDOM);
    code(set, "crypto_sign: generator", mqsuite_crypto_sign(set, sm.bytes, &smlen, message, length, sk.bytes),
         MQSUITE_ERROR_RANDOM);
    mqsuite_set_randombytes(NULL);
    clean(set, "sign", signature);
    clean(set, "crypto_sign", sm);
    code(set, "crypto_sign: the length", smlen == 77 ? MQSUITE_OK : 1, MQSUITE_OK);

    code(set, "a good signature", mqsuite_sign(set, signature.bytes, signature.length, message, length, sk.bytes, sk.length),
         MQSUITE_OK);
    EACH_WRONG_LENGTH(s->signature, "verify: length of the signature",
                      mqsuite_verify(set, signature.bytes, wrong, message, length, pk.bytes, pk.length));
    EACH_WRONG_LENGTH(pk.length, "verify: length of the public key",
                      mqsuite_verify(set, signature.bytes, signature.length, message, length, pk.bytes, wrong));
    code(set, "verify: another message",
         mqsuite_verify(set, signature.bytes, signature.length, message, length - 1, pk.bytes, pk.length),
         MQSUITE_ERROR_INVALID_SIGNATURE);
    for (unsigned long long shorter = 0; shorter < s->signature; shorter += s->signature - 1) {
        code(set, "open: shorter than a signature",
             mqsuite_crypto_sign_open(set, opened.bytes, &mlen, signature.bytes, shorter, pk.bytes), MQSUITE_ERROR_LENGTH);
    }
    code(set, "open: huge", mqsuite_crypto_sign_open(set, opened.bytes, &mlen, signature.bytes, ~0ULL, pk.bytes),
         MQSUITE_ERROR_LENGTH);
    code(set, "open: no length", mqsuite_crypto_sign_open(set, opened.bytes, NULL, signature.bytes, s->signature, pk.bytes),
         MQSUITE_ERROR_NULL);
    clean(set, "open", opened);
    code(set, "open: the length", mlen == 77 ? MQSUITE_OK : 1, MQSUITE_OK);
    free(signature.bytes);
    free(sm.bytes);
    free(opened.bytes);
}

static void kem_set(const char *set, const mqsuite_set_sizes *s, area pk, area sk) {
    area ct = make(s->ciphertext), ss = make(s->shared_secret);
    EACH_WRONG_LENGTH(ct.length, "encapsulate: length of the ciphertext",
                      mqsuite_encapsulate(set, ct.bytes, wrong, ss.bytes, ss.length, pk.bytes, pk.length));
    EACH_WRONG_LENGTH(ss.length, "encapsulate: length of the secret",
                      mqsuite_encapsulate(set, ct.bytes, ct.length, ss.bytes, wrong, pk.bytes, pk.length));
    EACH_WRONG_LENGTH(pk.length, "encapsulate: length of the public key",
                      mqsuite_encapsulate(set, ct.bytes, ct.length, ss.bytes, ss.length, pk.bytes, wrong));
    code(set, "encapsulate: no public key", mqsuite_encapsulate(set, ct.bytes, ct.length, ss.bytes, ss.length, NULL, pk.length),
         MQSUITE_ERROR_NULL);
    code(set, "crypto_kem_enc: nowhere to write", mqsuite_crypto_kem_enc(set, NULL, ss.bytes, pk.bytes), MQSUITE_ERROR_NULL);
    code(set, "a signature call", mqsuite_crypto_sign_keypair(set, pk.bytes, sk.bytes), MQSUITE_ERROR_WRONG_KIND);
    mqsuite_set_randombytes(failing);
    code(set, "encapsulate: generator",
         mqsuite_encapsulate(set, ct.bytes, ct.length, ss.bytes, ss.length, pk.bytes, pk.length), MQSUITE_ERROR_RANDOM);
    mqsuite_set_randombytes(NULL);
    clean(set, "encapsulate", ct);
    clean(set, "encapsulate", ss);
    EACH_WRONG_LENGTH(ss.length, "decapsulate: length of the secret",
                      mqsuite_decapsulate(set, ss.bytes, wrong, ct.bytes, ct.length, sk.bytes, sk.length));
    EACH_WRONG_LENGTH(ct.length, "decapsulate: length of the ciphertext",
                      mqsuite_decapsulate(set, ss.bytes, ss.length, ct.bytes, wrong, sk.bytes, sk.length));
    EACH_WRONG_LENGTH(sk.length, "decapsulate: length of the secret key",
                      mqsuite_decapsulate(set, ss.bytes, ss.length, ct.bytes, ct.length, sk.bytes, wrong));
    code(set, "decapsulate: no ciphertext", mqsuite_decapsulate(set, ss.bytes, ss.length, NULL, ct.length, sk.bytes, sk.length),
         MQSUITE_ERROR_NULL);
    clean(set, "decapsulate", ss);
    free(ct.bytes);
    free(ss.bytes);
}

static void names(void) {
    mqsuite_set_sizes sizes;
    unsigned char byte = UNTOUCHED;
    char name[64];
    code("-", "sizes of nothing", mqsuite_sizes("no-such-set", &sizes), MQSUITE_ERROR_UNKNOWN_SET);
    code("-", "no name", mqsuite_sizes(NULL, &sizes), MQSUITE_ERROR_NULL);
    code("-", "a name that is no text", mqsuite_sizes("\xff\xfe", &sizes), MQSUITE_ERROR_UNKNOWN_SET);
    code("-", "keys of nothing", mqsuite_keypair("", &byte, 1, &byte, 1), MQSUITE_ERROR_UNKNOWN_SET);
    code("-", "a name past the last", mqsuite_set_name((size_t)-1, name, sizeof name), MQSUITE_ERROR_UNKNOWN_SET);
    code("-", "room for no name", mqsuite_set_name(0, name, 1), MQSUITE_ERROR_LENGTH);
    code("-", "nowhere for a name", mqsuite_set_name(0, NULL, 64), MQSUITE_ERROR_NULL);
}

int main(int argc, char **argv) {
    names();
    for (int i = 1; i < argc; i++) {
        mqsuite_set_sizes sizes;
        const char *set = argv[i];
        if (mqsuite_sizes(set, &sizes) != MQSUITE_OK) {
            printf("%s: no such set\n", set);
            return 1;
        }
        code(set, "nowhere for sizes", mqsuite_sizes(set, NULL), MQSUITE_ERROR_NULL);
        keys(set, &sizes);
        area pk = make(sizes.public_key), sk = make(sizes.secret_key);
        code(set, "a good key pair", mqsuite_keypair(set, pk.bytes, pk.length, sk.bytes, sk.length), MQSUITE_OK);
        if (sizes.ciphertext) {
            kem_set(set, &sizes, pk, sk);
        } else {
            signature_set(set, &sizes, pk, sk);
        }
        free(pk.bytes);
        free(sk.bytes);
    }
    printf("%d checks, %d failures\n", checks, failures);
    return failures || checks < 10;
}
