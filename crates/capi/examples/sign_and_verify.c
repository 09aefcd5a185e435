/* Signs and opens a message with every signature set and shares a secret with every KEM set (or those named as arguments), through
 * the C interface. Also defines functions with names that cryptographic libraries often export: the library must not call them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mqsuite.h"

void randombytes(unsigned char *x, unsigned long long n) { (void)x; (void)n; abort(); }
void KeccakF1600_StatePermute(void *state) { (void)state; abort(); }
int crypto_sign(void) { abort(); }

static int failures = 0;

static void expect(int condition, const char *set, const char *what) {
    if (!condition) {
        printf("%s: %s\n", set, what);
        failures++;
    }
}

static void *buffer(size_t length) {
    void *bytes = malloc(length ? length : 1);
    if (!bytes) {
        abort();
    }
    return bytes;
}

static void signature_set(const char *set, const mqsuite_set_sizes *sizes, unsigned char *pk, unsigned char *sk) {
    const char *text = "The quick brown fox jumps over the lazy dog";
    size_t length = strlen(text);
    unsigned long long signed_length = 0, opened_length = 0;
    unsigned char *sm = buffer(length + sizes->signature), *again = buffer(length + sizes->signature);
    unsigned char *opened = buffer(length + sizes->signature);
    unsigned char *signature = sizes->message_first ? sm + length : sm;

    /* the message stands inside the signed-message buffer, as SUPERCOP passes it */
    unsigned char *inside = sm + sizes->signature;
    memcpy(inside, text, length);
    expect(mqsuite_crypto_sign(set, sm, &signed_length, inside, length, sk) == MQSUITE_OK, set, "sign");
    expect(signed_length == length + sizes->signature, set, "length of the signed message");
    expect(mqsuite_crypto_sign_open(set, opened, &opened_length, sm, signed_length, pk) == MQSUITE_OK, set, "open");
    expect(opened_length == length && !memcmp(opened, text, length), set, "the message");
    expect(mqsuite_verify(set, signature, sizes->signature, (const uint8_t *)text, length, pk, sizes->public_key) == MQSUITE_OK,
           set, "verify");
    memcpy(again, sm, signed_length);
    expect(mqsuite_crypto_sign_open(set, again, &opened_length, again, signed_length, pk) == MQSUITE_OK, set, "open in place");
    expect(opened_length == length && !memcmp(again, text, length), set, "the message in place");
    signature[sizes->signature / 2] ^= 1;
    opened_length = 77;
    memset(opened, 0x5a, length);
    expect(mqsuite_crypto_sign_open(set, opened, &opened_length, sm, signed_length, pk) != MQSUITE_OK, set, "a forgery was opened");
    expect(opened_length == 77 && opened[0] == 0x5a, set, "a forgery released output");
    expect(mqsuite_crypto_sign_open(set, opened, &opened_length, sm, sizes->signature - 1, pk) == MQSUITE_ERROR_LENGTH, set,
           "a short signed message");
    free(sm);
    free(again);
    free(opened);
}

static void kem_set(const char *set, const mqsuite_set_sizes *sizes, unsigned char *pk, unsigned char *sk) {
    unsigned char *ct = buffer(sizes->ciphertext);
    unsigned char *sent = buffer(sizes->shared_secret), *received = buffer(sizes->shared_secret);
    expect(mqsuite_crypto_kem_enc(set, ct, sent, pk) == MQSUITE_OK, set, "encapsulate");
    expect(mqsuite_crypto_kem_dec(set, received, ct, sk) == MQSUITE_OK, set, "decapsulate");
    expect(!memcmp(sent, received, sizes->shared_secret), set, "the shared secrets");
    expect(mqsuite_decapsulate(set, received, sizes->shared_secret, ct, sizes->ciphertext + 1, sk, sizes->secret_key) ==
               MQSUITE_ERROR_LENGTH,
           set, "a long ciphertext");
    free(ct);
    free(sent);
    free(received);
}

static void one_set(const char *set) {
    mqsuite_set_sizes sizes;
    if (mqsuite_sizes(set, &sizes) != MQSUITE_OK) {
        expect(0, set, "no such set");
        return;
    }
    unsigned char *pk = buffer(sizes.public_key), *sk = buffer(sizes.secret_key);
    int code = mqsuite_keypair(set, pk, sizes.public_key, sk, sizes.secret_key);
    expect(code == MQSUITE_OK, set, "key pair");
    if (code == MQSUITE_OK) {
        if (sizes.ciphertext) {
            kem_set(set, &sizes, pk, sk);
        } else {
            signature_set(set, &sizes, pk, sk);
        }
    }
    free(pk);
    free(sk);
}

int main(int argc, char **argv) {
    int sets = 0;
    if (argc > 1) {
        for (int i = 1; i < argc; i++, sets++) {
            one_set(argv[i]);
        }
    } else {
        char name[64];
        for (size_t index = 0; mqsuite_set_name(index, name, sizeof name) == MQSUITE_OK; index++, sets++) {
            one_set(name);
        }
    }
    printf("%d sets, %d failures\n", sets, failures);
    return failures || !sets;
}
