import OpenWOTestSupport
import SystemPackage
import Testing

@testable import OpenWOHistory

@Suite("version file")
struct VersionFileTests {
  private func decode(
    _ bytes: [UInt8], as name: String, fileSize: Int? = nil
  ) throws -> StoredVersion {
    let name = try #require(VersionFileName(name))
    return try VersionFile.decode(
      bytes, name: name, in: "versions", fileSize: Int64(fileSize ?? bytes.count))
  }

  @Test func `a file name has time, device, digest and kind`() throws {
    let version = try Sample.version(device: "a-b_c-1", at: 1_795_246_988_123)
    let name = VersionFileName(version, .pages)
    #expect(name.text == "20261121T074308.1230000Z-a-b_c-1-\(version.id).pages")
    #expect(VersionFileName(name.text) == name)
  }

  @Test func `the longest file name has fewer than 120 bytes of a plain kind`() throws {
    let version = try Sample.version(device: String(repeating: "w", count: 23), at: .max)
    for kind in Payload.Kind.allCases {
      let text = VersionFileName(version, kind).text
      #expect(text.utf8.count < 120)
      #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) })
    }
  }

  @Test func `names that are not quite right are refused`() throws {
    let text = VersionFileName(try Sample.version(), .full).text
    let wrong = [
      "", ".", "full", text + "x", "x" + text, text.uppercased(), text + ".full",
      text.replacing("laptop", with: ""), text.replacing("laptop", with: "lap top"),
      text.replacing("-laptop-", with: "-"), text.replacing(".full", with: ""),
      text.replacing(".full", with: ".FULL"), text.replacing(".full", with: " (1).full"),
      text.replacing(".full", with: ".sync-conflict-20261121-074308-ABCDEFG.full"),
      text.replacing("19700101", with: "19700132"),
    ]
    for name in wrong { #expect(VersionFileName(name) == nil, "\(name)") }
  }

  @Test func `a header is read as it was written`() throws {
    let base = ContentHash(of: [9])
    for (payload, size) in [(Payload.full, 3), (.pages(base: base), 50), (.same, 0)] {
      let version = try Sample.version([1, 2, 3], note: "\u{1B}[2J/../\u{202E}")
      let header = VersionFile.header(version, payload)
      let bytes = header + [UInt8](repeating: 7, count: size)
      let stored = try decode(bytes, as: VersionFileName(version, payload.kind).text)
      #expect(stored.version.canonicalForm == version.canonicalForm)
      #expect(stored.payload == payload)
      #expect(stored.payloadSize == size && stored.payloadOffset == header.count)
    }
  }

  @Test func `a header that would be too long after rewriting is refused`() throws {
    let known = try Sample.version().fields
    let parents = (0..<700).map { VersionID(Digest(hashing: Array("\($0)".utf8))) }.sorted()
    let version = try Version(
      Version.Fields(
        parents: parents, device: known.device, deviceName: known.deviceName, at: known.at,
        facts: known.facts, reason: known.reason,
        note: String(repeating: "\n", count: Version.Limit.noteBytes)))
    let written = String(decoding: VersionFile.header(version, .full), as: UTF8.self)
    let short = Array(written.replacing("\\u000a", with: "\\n").utf8)
    #expect(written.utf8.count > VersionFile.headerLimit && short.count < VersionFile.headerLimit)
    let error = #expect(throws: HistoryError.self) {
      try VersionFile.decode(line: Array(short.dropLast()))
    }
    #expect(error == .malformed("the header is too long"))
  }

  @Test func `fields that nobody knows are kept up to a bound`() throws {
    let line = VersionFile.header(try Sample.version(), .full).dropLast(2)
    for (letters, isRead) in [(8183, true), (8184, false)] {
      let more = #","zz":"\#(String(repeating: "z", count: letters))"}"#
      let text = try Self.withFittingID(String(decoding: line + Array(more.utf8), as: UTF8.self))
      let read = try? VersionFile.decode(line: text)
      #expect((read != nil) == isRead)
      guard let (version, payload) = read else { continue }
      #expect(VersionFile.header(version, payload).dropLast().elementsEqual(text))
    }
  }

  @Test func `a file that arrived in part is refused at every length`() throws {
    let version = try Sample.version([1, 2, 3])
    let bytes = VersionFile.header(version, .full) + [1, 2, 3]
    let name = VersionFileName(version, .full).text
    for count in 0..<bytes.count {
      #expect(throws: HistoryError.self) { try decode(Array(bytes.prefix(count)), as: name) }
    }
    #expect(throws: HistoryError.self) { try decode(bytes + [0], as: name) }
  }

  @Test func `a header under another version's name is refused`() throws {
    let (one, two) = (try Sample.version(at: 1), try Sample.version(at: 2))
    let header = VersionFile.header(one, .full)
    #expect(throws: HistoryError.self) { try decode(header, as: VersionFileName(two, .full).text) }
    #expect(throws: HistoryError.self) { try decode(header, as: VersionFileName(one, .same).text) }
  }

  @Test func `a newer format is distinguished from garbage`() throws {
    let line = #"{"format":2,"anything":{"goes":[]}}"#
    #expect(throws: HistoryError.newerFormat(found: 2, known: 1)) {
      try VersionFile.decode(line: Array(line.utf8))
    }
  }

  @Test(arguments: [
    ("\"format\":1", "\"format\":0"), ("\"format\":1", "\"format\":\"1\""),
    ("\"bytes\":3", "\"bytes\":-1"), ("\"bytes\":3", "\"bytes\":140737488355329"),
    ("\"bytes\":3", "\"bytes\":3.0"), ("\"bytes\":3", "\"bytes\":null"),
    ("\"pageSize\":4096", "\"pageSize\":4097"), ("\"reason\":\"write\"", "\"reason\":\"Write\""),
    ("\"reason\":\"write\"", "\"reason\":\"\""), ("\"reason\":\"write\"", "\"rea\":\"write\""),
    ("\"userVersion\":0", "\"userVersion\":2147483648"), ("\"parents\":[]", "\"parents\":{}"),
    ("\"parents\":[]", "\"parents\":[1]"), ("\"parents\":[]", "\"parents\":[\"\"]"),
    ("\"device\":\"laptop\"", "\"device\":\"../x\""), ("\"note\":\"n\"", "\"note\":7"),
    ("\"payload\":\"pages\"", "\"payload\":\"more\""),
    ("\"payload\":\"pages\"", "\"payload\":\"full\""),
    ("\"base\"", "\"basis\""), ("\"at\":\"1970", "\"at\":\"1969"),
  ])
  func `a header with one wrong field is refused, even under the right id`(
    right: String, wrong: String
  ) throws {
    let version = try Sample.version([1, 2, 3], note: "n")
    let header = VersionFile.header(version, .pages(base: ContentHash(of: [])))
    let text = String(decoding: header.dropLast(), as: UTF8.self)
    let changed = text.replacing(right, with: wrong)
    #expect(changed != text)
    // The id is made to fit, so that the field alone is at fault.
    let line = try Self.withFittingID(changed)
    #expect(throws: HistoryError.self) { try VersionFile.decode(line: line) }
  }

  @Test func `parents out of order, twice or too many are refused`() throws {
    for ids in [
      [Sample.id(1), Sample.id(2)].sorted(by: >), [Sample.id(1), Sample.id(1)],
      (0..<1025).map(Sample.id).sorted(),
    ] {
      let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
      let header = VersionFile.header(try Sample.version(), .full)
      let text = String(decoding: header.dropLast(), as: UTF8.self)
      let line = try Self.withFittingID(
        text.replacing("\"parents\":[]", with: "\"parents\":[\(list)]"))
      #expect(throws: HistoryError.self) { try VersionFile.decode(line: line) }
    }
  }

  @Test func `a header longer than 64 KiB is refused`() throws {
    let version = try Sample.version()
    let header = VersionFile.header(version, .full)
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: 70_000)
    let bytes = header.dropLast() + padding + [UInt8(ascii: "\n")]
    #expect(throws: HistoryError.malformed("the header is too long")) {
      try decode(Array(bytes), as: VersionFileName(version, .full).text)
    }
  }

  @Test func `no garbled header is taken for a version, and none traps`() throws {
    let version = try Sample.version([1, 2, 3], note: "a \"note\"\n")
    let line = Array(VersionFile.header(version, .full).dropLast())
    var random = SeededRandom(seed: 4)
    for _ in 0..<5000 {
      var garbled = line
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        garbled[.random(in: garbled.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let (read, _) = try? VersionFile.decode(line: garbled) else { continue }
      #expect(read.id == version.id && read.canonicalForm == version.canonicalForm)
    }
  }

  /// Replaces the id in a header by the one that the other fields have.
  static func withFittingID(_ text: String) throws -> [UInt8] {
    guard case .object(let members) = try? JSONParser.parse(Array(text.utf8)) else {
      return Array(text.utf8)
    }
    let kept = members.filter { !["id", "payload", "base"].contains($0.name) }
    let id = Digest(hashing: JSONValue.object(kept).canonicalForm)
    let changed = members.map { $0.name == "id" ? JSONMember("id", .string(id.hex)) : $0 }
    return JSONValue.object(changed).canonicalForm
  }
}
