package import SystemPackage

/// The format of a version file: one line of JSON, a newline, and the payload.
package enum VersionFile {
  /// The most bytes in a header, with its newline.
  package static let headerLimit = 65_536

  /// The header of a version, with its newline.
  package static func header(_ version: Version, _ payload: Payload) -> [UInt8] {
    var members = version.fields.members
    members.append(JSONMember("id", .string(version.id.description)))
    members.append(JSONMember("payload", .string(payload.kind.rawValue)))
    if let base = payload.base(of: version.content) {
      members.append(JSONMember("base", .string(base.description)))
    }
    return Version.Fields.canonicalForm(members) + [UInt8(ascii: "\n")]
  }

  /// Reads a header from the beginning of a file, and checks it against the name and the size of that file.
  ///
  /// - Parameters:
  ///   - start: The beginning of the file: all of it, or at least ``headerLimit`` bytes.
  ///   - name: The name of the file.
  ///   - folder: The file's folder.
  ///   - fileSize: The size of the file in bytes.
  /// - Returns: The version and how the file stores it.
  /// - Throws: ``HistoryError/newerFormat(found:known:)`` for a format of the future,
  ///   ``HistoryError/damaged(_:)`` for a file that is shorter or longer than it says, and
  ///   ``HistoryError/malformed(_:)`` for everything else that is wrong.
  package static func decode(
    _ start: [UInt8], name: VersionFileName, in folder: FilePath, fileSize: Int64
  ) throws(HistoryError) -> StoredVersion {
    guard let end = start.prefix(headerLimit).firstIndex(of: UInt8(ascii: "\n")) else {
      guard start.count >= headerLimit else { throw .damaged("the file ends in its header") }
      throw .malformed("the header is too long")
    }
    let (version, payload) = try decode(line: Array(start[..<end]))
    guard VersionFileName(version, payload.kind) == name else {
      throw .malformed("the header does not fit the name of the file")
    }
    let stored = StoredVersion(
      version: version, payload: payload, folder: folder, payloadOffset: Int64(end) + 1,
      fileSize: fileSize)
    switch payload {
    case .full where stored.payloadSize != version.bytes:
      throw .damaged("the file has \(stored.payloadSize) bytes of a database of \(version.bytes)")
    case .pages where stored.payloadSize <= 0:
      throw .damaged("the file ends after its header")
    case .same where stored.payloadSize != 0:
      throw .damaged("the file has bytes after its header")
    default: return stored
    }
  }

  /// Reads a header without its newline.
  package static func decode(line: [UInt8]) throws(HistoryError) -> (Version, Payload) {
    var fields = try HeaderFields(line: line)
    let kind = try fields.take("payload", as: { Payload.Kind(rawValue: $0) })
    let text = try fields.takeOptionalString("base")
    let base = text.flatMap { ContentHash(hex: $0) }
    guard (base == nil) == (text == nil) else { throw .malformed("the base is not a content hash") }
    let version = try Version(from: &fields)
    let payload = try payload(kind, base, of: version)
    // Written again it can be longer: an escape of two letters becomes one of six.
    if line.count > headerLimit / 3, header(version, payload).count > headerLimit {
      throw .malformed("the header is too long")
    }
    return (version, payload)
  }

  private static func payload(
    _ kind: Payload.Kind, _ base: ContentHash?, of version: Version
  ) throws(HistoryError) -> Payload {
    switch (kind, base) {
    case (.full, nil): return .full
    case (.same, version.content?): return .same
    case (.pages, let base?) where base != version.content: return .pages(base: base)
    default: throw .malformed("the base does not fit the payload")
    }
  }
}
