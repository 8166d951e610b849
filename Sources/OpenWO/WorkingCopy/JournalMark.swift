import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The mark of a journal of our own, which proves its origin after a crash.
///
/// The state that it leads to may have no version yet, and nobody was told of the commit that it
/// undoes.
///
/// It is written after the journal's header, where SQLite leaves zeros, and synced with it. It is a
/// digest of a secret of this device, the journal's header, the identities of the journal's file
/// and the database file, and the header of the state it leads to. So a journal that a service
/// restored has no valid mark.
package struct JournalMark: Equatable {
  private static let word = Array("openwo 1".utf8)
  private static let keySize = 64

  /// The bytes of the mark.
  package let bytes: [UInt8]

  /// Makes the mark of a journal.
  ///
  /// - Parameters:
  ///   - key: The secret of this device.
  ///   - journal: The beginning of the journal.
  ///   - inodes: The numbers of the database file and of the journal's.
  ///   - header: The bytes of the database's header before the transaction.
  package init(_ key: [UInt8], _ journal: [UInt8], inodes: [UInt64], header: [UInt8]) {
    let numbers = inodes.flatMap { inode in
      (0..<8).map { UInt8(truncatingIfNeeded: inode >> (8 * UInt64($0))) }
    }
    let lasting = journal[JournalHeader.lasting]
    bytes = Self.word + Digest(hashing: Self.word + key + lasting + numbers + header).bytes
  }

  /// Reads it from the first sector of a journal; nil: it has none.
  package init?(of journal: [UInt8]) {
    bytes = Array(
      journal.dropFirst(JournalHeader.size).prefix(Self.word.count + Digest.byteCount))
    guard bytes.count == Self.word.count + Digest.byteCount, bytes.starts(with: Self.word) else {
      return nil
    }
  }

  /// The secret of this device for a store; nil if it never needed one, or what is there is none.
  static func key(_ state: StatePaths, _ files: FileSystem) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      let key = try files.readSmall(state.journalKey, limit: keySize)
      return key.count == keySize ? key : nil
    } catch  where error.isMissing || error.isTooLarge {
      return nil
    }
  }

  /// The secret, made if there is none; to be called by one process at a time.
  static func makeKey(_ state: StatePaths, _ files: FileSystem) throws -> [UInt8] {
    if let key = try key(state, files) { return key }
    let key = Array(randomHex(bytes: keySize / 2).utf8)
    try AtomicFile.write(key, to: state.journalKey, fileSystem: files)
    return key
  }
}
