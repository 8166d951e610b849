import SystemPackage

/// A listing as bytes, so that the next process need not read ten thousand headers again.
///
/// The bytes are for this device's own state folder. They end with their SHA-256, so ids in them
/// are not computed again.
extension ArchiveListing {
  private static let magic = Array("owlist".utf8) + [1]

  /// The listing without its problems, for ``init(bytes:)``.
  package var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(number: folders.count)
    for folder in folders {
      let files = files[folder] ?? [:]
      bytes.append(text: folder.string)
      bytes.append(number: files.count)
      for (name, file) in files {
        bytes.append(text: name)
        bytes.append(file)
      }
    }
    bytes.append(number: pruned.count)
    for version in pruned { bytes.append(version) }
    return bytes + Digest(hashing: bytes).bytes
  }

  /// Takes back what ``bytes`` gave; nil if that is not what the bytes are.
  package init?(bytes: [UInt8]) {
    let end = bytes.count - Digest.byteCount
    guard end >= Self.magic.count, bytes.starts(with: Self.magic),
      Digest(hashing: Array(bytes[..<end])).bytes.elementsEqual(bytes[end...])
    else { return nil }
    let listing = bytes[..<end].withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, from: Self.magic.count)
      return try? ArchiveListing(&reader)
    }
    guard let listing else { return nil }
    self = listing
  }

  private init(_ reader: inout ByteReader) throws(HistoryError) {
    var folders: [FilePath] = []
    var files: [FilePath: [String: ArchiveFile]] = [:]
    for _ in 0..<(try reader.takeNumber()) {
      let folder = FilePath(try reader.takeText())
      let count = try reader.takeNumber()
      var found: [String: ArchiveFile] = [:]
      found.reserveCapacity(min(count, Archive.nameLimit))
      for _ in 0..<count { found[try reader.takeText()] = try reader.takeFile(in: folder) }
      folders.append(folder)
      files[folder] = found
    }
    var pruned: [Version] = []
    for _ in 0..<(try reader.takeNumber()) { pruned.append(try reader.takeVersion()) }
    guard reader.isAtEnd else { throw .malformed("there are bytes after the listing") }
    self.init(folders: folders, files: files, problems: [], remembering: pruned)
  }
}

extension [UInt8] {
  fileprivate mutating func append(text: String) {
    append(number: text.utf8.count)
    append(contentsOf: text.utf8)
  }

  fileprivate mutating func append(_ file: ArchiveFile) {
    switch file {
    case .version(let stored):
      switch stored.payload {
      case .full: append(1)
      case .same: append(2)
      case .pages(let base): self += [3] + base.digest.bytes
      }
      append(number: Int(stored.payloadOffset))
      append(number: Int(stored.fileSize))
      append(stored.version)
    case .pruned(let list):
      append(4)
      append(number: list.byteCount)
      append(number: list.versions.count)
      for version in list.versions { append(version) }
    }
  }

  fileprivate mutating func append(_ version: Version) {
    self += version.id.digest.bytes
    append(number: version.parents.count)
    for parent in version.parents { self += parent.digest.bytes }
    append(fixed: version.at.milliseconds)
    append(fixed: version.at.counter)
    self += version.content.digest.bytes
    append(number: Int(version.bytes))
    append(number: version.pageSize)
    append(fixed: version.userVersion)
    append(fixed: version.applicationID)
    for text in [version.device, version.deviceName, version.reason.rawValue] { append(text: text) }
    append(version.note == nil ? 0 : 1)
    if let note = version.note { append(text: note) }
    let unknown = version.fields.unknown ?? []
    append(number: unknown.count)
    self += unknown
  }
}

extension ByteReader {
  fileprivate mutating func takeText() throws(HistoryError) -> String {
    String(decoding: try take(try takeNumber()), as: UTF8.self)
  }

  private mutating func takeDigest() throws(HistoryError) -> Digest {
    guard let digest = Digest(bytes: try take(Digest.byteCount)) else {
      throw .malformed("there is no digest")
    }
    return digest
  }

  fileprivate mutating func takeFile(in folder: FilePath) throws(HistoryError) -> ArchiveFile {
    let payload: Payload
    switch try take(1)[0] {
    case 1: payload = .full
    case 2: payload = .same
    case 3: payload = .pages(base: ContentHash(try takeDigest()))
    case 4: return .pruned(try takePrunedList())
    default: throw .malformed("there is no such file")
    }
    let (payloadOffset, fileSize) = (try takeNumber(), try takeNumber())
    return .version(
      StoredVersion(
        version: try takeVersion(), payload: payload, folder: folder,
        payloadOffset: Int64(payloadOffset), fileSize: Int64(fileSize)))
  }

  private mutating func takePrunedList() throws(HistoryError) -> PrunedList {
    let byteCount = try takeNumber()
    var versions: [Version] = []
    for _ in 0..<(try takeNumber()) { versions.append(try takeVersion()) }
    return PrunedList(versions: versions, byteCount: byteCount)
  }

  fileprivate mutating func takeVersion() throws(HistoryError) -> Version {
    let id = VersionID(try takeDigest())
    var parents: [VersionID] = []
    for _ in 0..<(try takeNumber()) { parents.append(VersionID(try takeDigest())) }
    let at = HybridTime(
      milliseconds: try takeFixed(Int64.self), counter: try takeFixed(UInt16.self))
    let facts = ContentFacts(
      hash: ContentHash(try takeDigest()), bytes: Int64(try takeNumber()),
      pageSize: try takeNumber(), userVersion: try takeFixed(Int32.self),
      applicationID: try takeFixed(Int32.self))
    let (device, deviceName) = (try takeText(), try takeText())
    let reason = VersionReason(rawValue: try takeText())
    let note = try take(1)[0] == 0 ? nil : try takeText()
    let unknown = try take(try takeNumber())
    return Version(
      trusting: id,
      Version.Fields(
        parents: parents, device: device, deviceName: deviceName, at: at, facts: facts,
        reason: reason, note: note, unknown: unknown.isEmpty ? nil : Array(unknown)))
  }
}
