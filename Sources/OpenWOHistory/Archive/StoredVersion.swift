package import SystemPackage

/// A version and the file that stores it.
package struct StoredVersion: Hashable, Sendable {
  /// The version.
  package let version: Version
  /// How the file stores it.
  package let payload: Payload
  /// The folder that holds the file.
  package let folder: FilePath
  /// Where in the file the payload begins: after the header and its newline.
  package let payloadOffset: Int64
  /// The size of the whole file in bytes.
  package let fileSize: Int64

  /// Hashes the version; files that store one version are few.
  package func hash(into hasher: inout Hasher) { hasher.combine(version) }

  /// The content that must be at hand to read this one; nil for a full payload.
  package var base: ContentHash? { payload.base(of: version.content) }

  /// The size of the payload in bytes.
  package var payloadSize: Int64 { fileSize - payloadOffset }

  /// The name of the file.
  package var fileName: String { VersionFileName(version, payload.kind).text }

  /// Orders files as their names, nearly.
  func isBefore(_ other: StoredVersion) -> Bool {
    if version.at != other.version.at { return version.at < other.version.at }
    if version.id != other.version.id { return version.id < other.version.id }
    return payload.kind.rawValue < other.payload.kind.rawValue
  }

  /// Sorts files as their names, nearly.
  ///
  /// Thousands are sorted by keys that are plain values: nothing counts references on the way.
  static func sorted(_ files: [StoredVersion]) -> [StoredVersion] {
    let keys = files.indices.map { place in
      (at: files[place].version.at, id: files[place].version.id, place: place)
    }
    return keys.sorted { one, other in
      if one.at != other.at { return one.at < other.at }
      if one.id != other.id { return one.id < other.id }
      return files[one.place].isBefore(files[other.place])
    }.map { files[$0.place] }
  }

  /// The path of the file.
  package var path: FilePath { folder.appending(fileName) }
}
