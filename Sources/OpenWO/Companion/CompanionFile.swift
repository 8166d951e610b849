package import OpenWOFiles
package import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The small JSON files of the companion and of the state folder.
///
/// People can read them, and each has one writer, so no service makes a conflict of one.
///
/// The folder is not trusted: a file must be regular and small, and must contain the expected JSON.
package enum CompanionFile {
  /// The most that is read of one file, in bytes.
  static let limit = 64 * 1024

  /// Reads a value; nil if the file is not there.
  package static func read<Value: Decodable>(
    _: Value.Type, at path: FilePath, _ files: FileSystem
  ) throws -> Value? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try files.readSmall(path, limit: limit)
    } catch  where error.isMissing {
      return nil
    }
    return try JSONDecoder().decode(Value.self, from: Data(bytes))
  }

  /// Writes a value in the one form it has, so that equal values are equal bytes.
  package static func write<Value: Encodable>(
    _ value: Value, to path: FilePath, mode: AtomicFile.Mode = .replace, durable: Bool = true,
    _ files: FileSystem
  ) throws {
    try AtomicFile.write(
      bytes(of: value), to: path, mode: mode, durable: durable, fileSystem: files)
  }

  /// The one form of a value.
  static func bytes(of value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try [UInt8](encoder.encode(value)) + [UInt8(ascii: "\n")]
  }
}
