import Testing

@testable import OpenWOHistory

@Suite("version")
struct VersionTests {
  private static let parents = [
    String(repeating: "aa", count: 32), String(repeating: "11", count: 32),
  ]

  private func example() throws -> Version {
    try Version(
      facts: ContentFacts(
        hash: ContentHash(of: []), bytes: 0, pageSize: 4096, userVersion: -3,
        applicationID: 1_330_660_943),
      parents: Self.parents.compactMap { VersionID($0) }, device: "d-1_A",
      deviceName: "Jörg's \"Mac\" \\ \n\u{7F}😀",
      at: HybridTime(milliseconds: 1_795_246_988_123), reason: .write, note: "tab\there")
  }

  private static let form =
    #"{"applicationID":1330660943,"at":"2026-11-21T07:43:08.1230000Z","bytes":0,"content":"#
    + #""e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","device":"d-1_A","#
    + #""deviceName":"Jörg's \"Mac\" \\ \u000a"# + "\u{7F}" + #"😀","format":1,"#
    + #""note":"tab\u0009here","pageSize":4096,"parents":[""# + parents[1] + #"",""# + parents[0]
    + #""],"reason":"write","userVersion":-3}"#

  @Test func `the id is the SHA-256 of the canonical form`() throws {
    let version = try example()
    #expect(String(decoding: version.canonicalForm, as: UTF8.self) == Self.form)
    let id = "7245b67321f3d7662b1cf1e9c0177a7d847460d9088b8f2777d07508ebf64b14"
    #expect(version.id.description == id)
  }

  @Test func `a field that a newer openwo added is kept, and the id covers it`() throws {
    let id = "239a6a580c2e62fcd361886ac63a2db26f69aaad20b6d7ddc748672f4ae4b111"
    let line =
      Self.form.dropLast() + #","payload":"full","zeta":{"b":[1,null,true],"a":{}},"id":""# + id
      + "\"}"
    let (version, payload) = try VersionFile.decode(line: Array(line.utf8))
    #expect(version.id.description == id)
    #expect(payload == .full)
    let header = VersionFile.header(version, payload)
    #expect(
      try VersionFile.decode(line: header.dropLast()).0.canonicalForm == version.canonicalForm)
    let other = line.replacing("null", with: "true")
    #expect(throws: HistoryError.self) { try VersionFile.decode(line: Array(other.utf8)) }
  }

  @Test func `parents are sorted and unique, whatever order they came in`() throws {
    let ids = Self.parents.compactMap { VersionID($0) }
    let version = try Version(
      facts: Sample.facts(), parents: ids + ids, device: "a", deviceName: "",
      at: HybridTime(milliseconds: 0), reason: .merge)
    #expect(version.parents == ids.sorted())
  }

  @Test func `long names and notes are cut between characters`() throws {
    let version = try Version(
      facts: Sample.facts(), parents: [], device: "a",
      deviceName: String(repeating: "é", count: 200) + "x", at: HybridTime(milliseconds: 0),
      reason: .write, note: "x" + String(repeating: "👨‍👩‍👧", count: 1000))
    #expect(version.deviceName == String(repeating: "é", count: 128))
    #expect((version.note?.utf8.count ?? 0) <= 4096)
    #expect(version.note?.last == "👨‍👩‍👧")
  }

  @Test(arguments: ["", "a b", "ä", "a/b", "..", "a.b", String(repeating: "a", count: 24), "a\0"])
  func `a device id that no file name can carry is refused`(device: String) {
    #expect(throws: HistoryError.self) { try Sample.version(device: device) }
  }

  @Test(arguments: [0, 1, 256, 511, 513, 4095, 131_072, -4096, Int.min])
  func `a page size that SQLite has not is refused`(pageSize: Int) {
    #expect(throws: HistoryError.self) { try Sample.version(pageSize: pageSize) }
  }
}

@Suite("settling")
struct SettleTests {
  @Test func `the later writer wins and all heads become parents`() throws {
    let early = try Sample.version([1], device: "z", at: 1000)
    let late = try Sample.version([2], device: "a", at: 1001)
    let settled = try Version.settle(parents: [late, early])
    #expect(settled.content == late.content)
    #expect(settled.parents == [early.id, late.id].sorted())
    #expect(settled.at == late.at.tick)
    #expect(settled.device == "settle" && settled.reason == .settle && settled.note == nil)
  }

  @Test func `at the same time the device decides, then the content`() throws {
    let a = try Sample.version([1], device: "a")
    let b = try Sample.version([2], device: "b")
    #expect(try Version.settle(parents: [b, a]).content == b.content)
    let other = try Sample.version([3], device: "b")
    let higher = max(b.content, other.content)
    #expect(try Version.settle(parents: [b, other]).content == higher)
  }

  @Test func `two devices that settle the same heads write the same bytes`() throws {
    let heads = try (0..<5).map { number in
      try Sample.version([UInt8(number)], device: "d\(number)", at: Int64(number % 2))
    }
    let one = try Version.settle(parents: heads)
    let two = try Version.settle(parents: heads.reversed())
    #expect(VersionFile.header(one, .same) == VersionFile.header(two, .same))
    #expect(VersionFileName(one, .same) == VersionFileName(two, .same))
  }

  @Test func `nothing cannot be settled`() {
    #expect(throws: HistoryError.self) { try Version.settle(parents: []) }
  }
}
