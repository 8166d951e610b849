#if canImport(CryptoKit)
  internal import CryptoKit

  /// SHA-256 of bytes that arrive in pieces: CryptoKit's on Apple's systems, libcrypto's elsewhere.
  struct SHA256Hasher: Sendable {
    private var state = SHA256()

    /// Adds the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      state.update(bufferPointer: bytes)
    }

    /// The digest of all bytes that were added.
    consuming func finish() -> Digest {
      state.finalize().withUnsafeBytes { bytes in
        guard let digest = Digest(bytes: bytes) else { preconditionFailure("SHA-256 has 32 bytes") }
        return digest
      }
    }
  }
#else
  internal import OpenWOCCrypto

  /// SHA-256 of bytes that arrive in pieces: CryptoKit's on Apple's systems, libcrypto's elsewhere.
  ///
  /// libcrypto picks the processor's SHA instructions by itself. Only its few functions for SHA-256 are linked,
  /// statically, so that a program does not load the whole library when it starts.
  struct SHA256Hasher: Sendable {
    private var state = SHA256_CTX()

    init() {
      SHA256_Init(&state)
    }

    /// Adds the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      SHA256_Update(&state, bytes.baseAddress, bytes.count)
    }

    /// The digest of all bytes that were added.
    consuming func finish() -> Digest {
      withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { bytes in
        SHA256_Final(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, &state)
        guard let digest = Digest(bytes: UnsafeRawBufferPointer(bytes)) else {
          preconditionFailure("SHA-256 has 32 bytes")
        }
        return digest
      }
    }
  }
#endif
