import OpenWOFiles
import SystemPackage

/// The cache as bytes for this device's own state folder.
///
/// They end with their SHA-256, so the ids in them are not computed again.
extension HeaderCache {
  private static let magic = Array("openwo headers 1\n".utf8)

  /// The cache of a store, for ``init(bytes:of:)``.
  package func bytes(of store: String) -> [UInt8] {
    var writer = Writer()
    for (name, entry) in entries { writer.append(name, entry) }
    var bytes = Self.magic
    bytes.append(text: store)
    bytes.append(number: writer.texts.count)
    for text in writer.texts { bytes.append(text: text) }
    bytes.append(number: entries.count)
    bytes += writer.bytes
    return bytes + Digest(hashing: bytes).bytes
  }

  /// Takes back what ``bytes(of:)`` gave; nil if the bytes are anything else, or of another store.
  package init?(bytes: [UInt8], of store: String) {
    self.init()
    let found = bytes.withUnsafeBytes { bytes -> [String: Entry]? in
      let end = bytes.count - Digest.byteCount
      guard end >= Self.magic.count, bytes.starts(with: Self.magic) else { return nil }
      let body = UnsafeRawBufferPointer(rebasing: bytes[..<end])
      guard
        Digest(bytes: UnsafeRawBufferPointer(rebasing: bytes[end...])) == Digest(hashing: body)
      else { return nil }
      return try? Self.entries(in: ByteReader(body, from: Self.magic.count), of: store)
    }
    guard let found else { return nil }
    entries = found
  }

  private static func entries(
    in bytes: ByteReader, of store: String
  ) throws(HistoryError) -> [String: Entry] {
    var reader = Reader(bytes: bytes)
    guard try reader.bytes.takeText() == store else { throw .malformed("it is another store's") }
    for _ in 0..<(try reader.bytes.takeNumber()) {
      reader.texts.append(try reader.bytes.takeText())
    }
    let count = try reader.bytes.takeNumber()
    var entries: [String: Entry] = [:]
    entries.reserveCapacity(min(count, Archive.nameLimit))
    for _ in 0..<count {
      let name = try reader.bytes.takeText()
      entries[name] = try reader.takeEntry()
    }
    guard reader.bytes.isAtEnd else { throw .malformed("there are bytes after the headers") }
    return entries
  }
}

/// Writes entries; texts that many versions have are written once.
private struct Writer {
  var bytes: [UInt8] = []
  private(set) var texts: [String] = []
  private var places: [String: Int] = [:]

  mutating func append(_ name: String, _ entry: HeaderCache.Entry) {
    let (look, signature) = (entry.look, entry.look.signature)
    bytes.append(text: name)
    bytes.append(fixed: signature.device)
    bytes.append(fixed: signature.inode)
    for number in [signature.size, signature.mtime, signature.ctime, look.blocks] {
      bytes.append(fixed: number)
    }
    switch entry.file {
    case .version(let stored):
      switch stored.payload {
      case .full: bytes.append(1)
      case .same: bytes.append(2)
      case .pages(let base): bytes += [3] + base.digest.bytes
      }
      bytes.append(number: Int(stored.payloadOffset))
      append(stored.version)
    case .pruned(let list):
      bytes.append(4)
      bytes.append(number: list.versions.count)
      for version in list.versions { append(version) }
    }
  }

  private mutating func append(_ version: Version) {
    bytes += version.id.digest.bytes
    bytes.append(number: version.parents.count)
    for parent in version.parents { bytes += parent.digest.bytes }
    bytes.append(fixed: version.at.milliseconds)
    bytes.append(fixed: version.at.counter)
    bytes += version.content.digest.bytes
    bytes.append(number: Int(version.bytes))
    bytes.append(number: version.pageSize)
    bytes.append(fixed: version.userVersion)
    bytes.append(fixed: version.applicationID)
    for text in [version.device, version.deviceName, version.reason.rawValue] { append(text) }
    bytes.append(version.note == nil ? 0 : 1)
    if let note = version.note { bytes.append(text: note) }
    let unknown = version.fields.unknown ?? []
    bytes.append(number: unknown.count)
    bytes += unknown
  }

  private mutating func append(_ text: String) {
    let place = places[text] ?? texts.count
    if place == texts.count {
      places[text] = place
      texts.append(text)
    }
    bytes.append(number: place)
  }
}

/// Reads entries; the folder of a file is not known yet.
private struct Reader {
  var bytes: ByteReader
  var texts: [String] = []

  mutating func takeEntry() throws(HistoryError) -> HeaderCache.Entry {
    let (device, inode) = (try bytes.takeFixed(UInt64.self), try bytes.takeFixed(UInt64.self))
    let signature = FileSignature(
      device: device, inode: inode, size: try bytes.takeFixed(Int64.self),
      mtime: try bytes.takeFixed(Int64.self), ctime: try bytes.takeFixed(Int64.self))
    let look = HeaderCache.Look(signature: signature, blocks: try bytes.takeFixed(Int64.self))
    return HeaderCache.Entry(look: look, file: try takeFile(of: signature.size))
  }

  private mutating func takeFile(of size: Int64) throws(HistoryError) -> ArchiveFile {
    let payload: Payload
    switch try bytes.take(1)[0] {
    case 1: payload = .full
    case 2: payload = .same
    case 3: payload = .pages(base: ContentHash(try takeDigest()))
    case 4:
      var versions: [Version] = []
      for _ in 0..<(try bytes.takeNumber()) { versions.append(try takeVersion()) }
      return .pruned(PrunedList(versions: versions, byteCount: Int(size)))
    default: throw .malformed("there is no such file")
    }
    let payloadOffset = Int64(try bytes.takeNumber())
    return .version(
      StoredVersion(
        version: try takeVersion(), payload: payload, folder: FilePath(),
        payloadOffset: payloadOffset, fileSize: size))
  }

  private mutating func takeVersion() throws(HistoryError) -> Version {
    let id = VersionID(try takeDigest())
    var parents: [VersionID] = []
    for _ in 0..<(try bytes.takeNumber()) { parents.append(VersionID(try takeDigest())) }
    let at = HybridTime(
      milliseconds: try bytes.takeFixed(Int64.self), counter: try bytes.takeFixed(UInt16.self))
    let facts = ContentFacts(
      hash: ContentHash(try takeDigest()), bytes: Int64(try bytes.takeNumber()),
      pageSize: try bytes.takeNumber(), userVersion: try bytes.takeFixed(Int32.self),
      applicationID: try bytes.takeFixed(Int32.self))
    let (device, deviceName) = (try takeText(), try takeText())
    let reason = VersionReason(rawValue: try takeText())
    let note = try bytes.take(1)[0] == 0 ? nil : try bytes.takeText()
    let unknown = try bytes.take(try bytes.takeNumber())
    return Version(
      trusting: id,
      Version.Fields(
        parents: parents, device: device, deviceName: deviceName, at: at, facts: facts,
        reason: reason, note: note, unknown: unknown.isEmpty ? nil : Array(unknown)))
  }

  private mutating func takeText() throws(HistoryError) -> String {
    let place = try bytes.takeNumber()
    guard texts.indices.contains(place) else { throw .malformed("there is no such text") }
    return texts[place]
  }

  private mutating func takeDigest() throws(HistoryError) -> Digest {
    guard let digest = Digest(bytes: try bytes.take(Digest.byteCount)) else {
      throw .malformed("there is no digest")
    }
    return digest
  }
}

extension ByteReader {
  fileprivate mutating func takeText() throws(HistoryError) -> String {
    String(decoding: try take(try takeNumber()), as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func append(text: String) {
    append(number: text.utf8.count)
    append(contentsOf: text.utf8)
  }
}
