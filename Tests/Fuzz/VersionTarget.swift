import SystemPackage

@testable import OpenWOHistory

/// The reader of version files.
///
/// The first byte of an input says whether the id is computed again, which no mutation could guess.
enum VersionTarget {
  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    let isMended = reader.chance(128)
    let bytes = reader.takeAll()
    let start = isMended ? mended(bytes) ?? bytes : bytes
    let end = start.firstIndex(of: UInt8(ascii: "\n")) ?? start.endIndex
    let line = Array(start[..<end])
    guard let (version, payload) = try? VersionFile.decode(line: line) else { return }
    let name = VersionFileName(version, payload.kind)
    expect(VersionFileName(name.text) == name, "the name \(name.text) can be read")
    expect(name.text.utf8.count < 120, "the name \(name.text) is short")
    let stored = try? VersionFile.decode(
      start, name: name, in: "versions", fileSize: Int64(start.count))
    if let stored { expect(stored.version == version, "the file holds the version of its line") }
    let again = VersionFile.header(version, payload)
    guard end < VersionFile.headerLimit else { return }
    expect(again.count <= VersionFile.headerLimit, "what can be read can be written and read")
    guard let (same, samePayload) = try? VersionFile.decode(line: again.dropLast()) else {
      fatalError("a header that was written cannot be read")
    }
    expect(same == version && samePayload == payload, "a header says the same when written again")
    expect(same.canonicalForm == version.canonicalForm, "the canonical form is one")
  }

  /// The same members with the id that they lead to.
  private static func mended(_ bytes: [UInt8]) -> [UInt8]? {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let line = Array(bytes[..<end])
    guard case .object(let members) = try? JSONParser.parse(line) else { return nil }
    let covered = members.filter { !["id", "payload", "base"].contains($0.name) }
    let id = VersionID(Digest(hashing: Version.Fields.canonicalForm(covered)))
    let others = members.filter { $0.name != "id" }
    let ided = others + [JSONMember("id", .string(id.description))]
    return Version.Fields.canonicalForm(ided) + bytes[end...]
  }

  static func seeds() throws -> [[UInt8]] {
    let first = try sample("first", [], note: nil)
    let second = try sample("second", [first.id], note: "more \"repetitions\"\n\u{1F4AA}")
    let merged = try sample("third", [first.id, second.id], note: "")
    let headers = [
      VersionFile.header(first, .full), VersionFile.header(second, .pages(base: first.content)),
      VersionFile.header(merged, .same),
      VersionFile.header(try Version.settle(parents: [first, second]), .same),
    ]
    let payload: [UInt8] = [1, 2, 3]
    return headers.flatMap { header -> [[UInt8]] in
      let file: [UInt8] = header + payload
      return [[0] + file, [255] + file, [0] + header]
    }
  }

  static func sample(
    _ content: String, _ parents: [VersionID], note: String?
  ) throws -> Version {
    let facts = ContentFacts(
      hash: ContentHash(of: Array(content.utf8)), bytes: 3, pageSize: 4096, userVersion: 7,
      applicationID: -1)
    return try Version(
      facts: facts, parents: parents, device: "5f3e11a2b7c4", deviceName: "Ann's phone",
      at: HybridTime(milliseconds: 1_790_000_000_000, counter: 3), reason: .write, note: note)
  }
}
