// libcrypto's SHA-256 without its EVP layer: `SHA256_Init`, `SHA256_Update`, `SHA256_Final`.
// OpenSSL 3 marks them deprecated in favour of EVP, which costs milliseconds of start-up.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
