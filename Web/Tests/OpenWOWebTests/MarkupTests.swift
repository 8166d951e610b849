import OpenWOApp
import Testing

@testable import OpenWOWeb

/// Whatever a store says, it is text.
struct MarkupTests {
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>",
    "&lt;b&gt; ]]> <!-- javascript:alert(1)", "\u{202E}gnp.exe a\u{0}b\u{1B}[31m",
  ]

  @Test func `hostile names and values never become markup`() async throws {
    let texts = Self.hostile.map { $0.replacing("\u{0}", with: "") }
    let stage = try Stage()
    for text in texts {
      let name = "\"" + text.replacing("\"", with: "\"\"") + "\""
      try stage.write("CREATE TABLE \(name)(id INTEGER PRIMARY KEY, \(name) TEXT)")
      let quoted = text.replacing("'", with: "''")
      try stage.write("INSERT INTO \(name) VALUES(1, '\(quoted)')")
      try stage.write("UPDATE \(name) SET \(name) = 'other'")
      try stage.write("DELETE FROM \(name)")
    }
    let all = texts.joined()
    _ = try stage.open(all).lock(.init(note: all, outlivesProcess: true, program: all))
    let versions = try stage.open().history().map { "\($0.version.id)" }
    var pages = ["/file/1", "/file/1/history", "/file/1/find", "/file/1/doctor"]
    pages.append("/file/1/diff?from=\(versions[versions.count - 2])&to=\(versions[1])")
    for (index, text) in texts.enumerated() {
      let table = Address.encoded(text)
      let version = versions[versions.count - 4 - index * 4]
      pages += [
        "/file/1/row?table=\(table)&key=1",
        "/file/1/restore?version=\(version)&table=\(table)&key=1",
        "/file/1?done=restore-row&table=\(table)",
      ]
    }
    for page in pages { expectOnlyOurMarkup(try await stage.ask(page).text, page) }
    expectOnlyOurMarkup(
      try await stage.ask("/file/1/merge?file=\(Address.encoded(all))").text, "merge")
    expectOnlyOurMarkup(try await stage.ask("/file/1/find?q=\(Address.encoded(all))").text, "find")
  }

  /// The page has no element and no attribute that the program does not write.
  private func expectOnlyOurMarkup(_ html: String, _ page: String) {
    let known: Set<String> = [
      "!DOCTYPE", "html", "head", "meta", "title", "link", "script", "body", "a", "div", "header",
      "nav", "main", "footer", "p", "h1", "h2", "h3", "small", "section", "span", "bdi", "button",
      "time", "dl", "dt", "dd", "code", "form", "input", "label", "ol", "ul", "li", "strong", "q",
      "table", "tbody", "thead", "tr", "th", "td", "details", "summary", "article", "br", "ins",
      "del",
    ]
    for piece in html.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      let name = piece.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber || $0 == "!" }
      #expect(known.contains(String(name)), "\(page): \(name)")
      let inside = piece.prefix { $0 != ">" }
      // The names of a tag's attributes, without their values.
      let names = inside.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset.isMultiple(of: 2) }
      #expect(!names.contains { $0.element.contains(" on") || $0.element.contains("style") })
      #expect(!inside.contains("href=\"javascript"))
    }
    #expect(
      html.components(of: "<script").count == html.components(of: "<script src=\"/page.js\"").count)
    #expect(!html.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{0}" || $0 == "\u{1B}" })
  }

  @Test func `text is escaped wherever it is put`() {
    let text = Self.hostile.joined()
    let html = tag("p", ["title": text], .text(text)).html
    #expect(html.filter { $0 == "<" }.count == 2)
    #expect(html.filter { $0 == "\"" }.count == 2)
    #expect(!html.contains("\u{0}") && !html.contains("\u{1B}"))
  }

  @Test func `an address leads nowhere else, whatever is in it`() {
    for text in Self.hostile + ["//evil.example", "/..", "\\evil", "?a=b#c", "a b+c%"] {
      let address = Address([text], [("q", text)])
      #expect(address.description.hasPrefix("/") && !address.description.hasPrefix("//"))
      #expect(
        address.description.utf8.allSatisfy {
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%/?=".utf8.contains($0)
        })
      #expect(Fields(address.description.split(separator: "?").last ?? "")["q"] == text)
    }
  }
}

extension String {
  fileprivate func components(of mark: String) -> [Substring] { split(separator: mark) }
}
