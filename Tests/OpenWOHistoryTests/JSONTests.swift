import OpenWOTestSupport
import Testing

@testable import OpenWOHistory

@Suite("JSON")
struct JSONTests {
  private func canonical(_ text: String) throws -> String {
    String(decoding: try JSONParser.parse(Array(text.utf8)).canonicalForm, as: UTF8.self)
  }

  @Test(arguments: [
    (#" { "b" : [ 1 , -0, true , null ] , "a" : { } } "#, #"{"a":{},"b":[1,0,true,null]}"#),
    (#""\u0041\/\n\u001f\"\\\ud83d\ude00é""#, "\"A/\\u000a\\u001f\\\"\\\\😀é\""),
    ("-9223372036854775808", "-9223372036854775808"),
    (
      "{\"\u{E1}\":1,\"z\":2,\"a\u{301}\":3,\"\":5}", "{\"\":5,\"a\u{301}\":3,\"z\":2,\"\u{E1}\":1}"
    ),
  ])
  func `a value has one canonical form`(text: String, form: String) throws {
    #expect(Array(try canonical(text).utf8) == Array(form.utf8))
    #expect(Array(try canonical(form).utf8) == Array(form.utf8))
  }

  @Test(arguments: [
    "", " ", "{", "[", "{]", "[1,]", "[,1]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "{\"a\":1 \"b\":2}",
    "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "01", "-", "+1", "1.0", "1e3", "1E3", "1.",
    ".5",
    "9223372036854775808", "nul", "truee", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
    "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\n\"", "1 2",
    "{}x",
    "NaN", "Infinity", "'a'", "\u{FEFF}1",
  ])
  func `text that is not strict JSON is refused`(text: String) {
    #expect(throws: HistoryError.self) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test func `invalid UTF-8 is refused`() {
    for bytes: [UInt8] in [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ] {
      #expect(throws: HistoryError.self) { try JSONParser.parse([0x22] + bytes + [0x22]) }
    }
  }

  @Test func `values that nest too deep are refused, however deep`() {
    for depth in [34, 1000, 65_000] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(throws: HistoryError.self) { try JSONParser.parse(Array(text.utf8)) }
    }
    let fine = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    #expect(throws: Never.self) { try JSONParser.parse(Array(fine.utf8)) }
  }

  @Test func `more values than the most are refused`() {
    for (count, isRead) in [(4095, true), (4096, false), (30_000, false)] {
      let text = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
      #expect(((try? JSONParser.parse(Array(text.utf8))) != nil) == isRead)
    }
  }

  @Test(arguments: [
    "{}", #"{"":[]}"#, #"{"a,\":":"]}\\","b":{"c":[{"d":-9}]},"c":null}"#,
    #"{"a":[1,[2,{"x":"[,\"{"}]],"z":{"":{}}}"#,
  ])
  func `an object in canonical form is taken apart without reading its values`(text: String) throws
  {
    let members = JSONValue.members(ofCanonical: Array(text.utf8))
    #expect(JSONValue.object(members).canonicalForm == Array(text.utf8))
    guard case .object(let read) = try JSONParser.parse(Array(text.utf8)) else { return }
    #expect(members.map(\.name) == read.map(\.name))
  }

  @Test func `no garbled text makes the parser trap`() throws {
    let text = Array(#"{"a":[1,-2,{"b":"\u00e9\n😀"}],"c":null,"d":true}"#.utf8)
    var random = SeededRandom(seed: 3)
    for _ in 0..<20_000 {
      var garbled = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        garbled[.random(in: garbled.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      garbled.removeLast(.random(in: 0..<garbled.count, using: &random) / 8)
      if let value = try? JSONParser.parse(garbled) {
        let form = value.canonicalForm
        #expect(try JSONParser.parse(form).canonicalForm == form)
        guard case .object = value else { continue }
        #expect(JSONValue.object(JSONValue.members(ofCanonical: form)).canonicalForm == form)
      }
    }
  }

  @Test func `a request may have fractions and exponents, a file may not`() throws {
    for (text, value) in [("1.5", 1.5), ("-0.25", -0.25), ("1e3", 1000), ("2.5E-1", 0.25)] {
      guard case .real(let real) = try JSONParser.parse(Array(text.utf8), .request) else {
        Issue.record("\(text) is no real number")
        continue
      }
      #expect(real == value)
      #expect(throws: HistoryError.self) { try JSONParser.parse(Array(text.utf8)) }
    }
    for text in ["1.", ".5", "01.5", "1e", "1e400", "--1.5", "1.5.5", "-.5", "+1.5", "1.5e+"] {
      #expect(throws: HistoryError.self, "\(text)") {
        try JSONParser.parse(Array(text.utf8), .request)
      }
    }
    let deep = Array(String(repeating: "[", count: 200).utf8)
    #expect(throws: HistoryError.self) { try JSONParser.parse(deep, .request) }
  }
}
