import Foundation
import Testing

/// Every Swift example in the pages, articles and comments is a marked part of a file that is compiled here.
struct SnippetTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The README, the pages in `docs`, and the articles and comments of the libraries.
  private static var pages: [URL] {
    get throws {
      let files = FileManager.default
      var pages = [root.appending(path: "README.md")]
      for folder in ["docs", "Sources"] {
        let found = try files.subpathsOfDirectory(atPath: root.appending(path: folder).path)
        pages += found.filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }.map {
          root.appending(path: folder).appending(path: $0)
        }
      }
      return pages
    }
  }

  /// The marked parts of the files beside this one, without the indentation of their first line.
  private static var snippets: [String] {
    get throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      return try names.flatMap { name in
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return name.hasSuffix("-Package.swift") ? [text.trimmed] : marked(text)
      }
    }
  }

  private static func marked(_ text: String) -> [String] {
    var found: [String] = []
    var open: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let mark = line.trimmed
      if mark.hasPrefix("// snippet: ") {
        open = []
      } else if mark == "// end", let lines = open {
        let indent = lines.first?.prefix { $0 == " " }.count ?? 0
        found.append(
          lines.map { String($0.dropFirst(min(indent, $0.prefix { $0 == " " }.count))) }
            .joined(separator: "\n").trimmed)
        open = nil
      } else {
        open?.append(line)
      }
    }
    return found
  }

  /// The Swift examples of a page.
  private static func examples(_ page: URL) throws -> [String] {
    var text = try String(contentsOf: page, encoding: .utf8)
    if page.pathExtension == "swift" {
      // A comment without its marks.
      text = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        .filter { $0.trimmed.hasPrefix("///") }
        .map { String($0.trimmed.dropFirst($0.trimmed.hasPrefix("/// ") ? 4 : 3)) }
        .joined(separator: "\n")
    }
    return text.components(separatedBy: "```swift\n").dropFirst().map {
      ($0.components(separatedBy: "\n```").first ?? "").trimmed
    }
  }

  @Test func `every Swift example in the pages, articles and comments is compiled`() throws {
    let snippets = Set(try Self.snippets)
    for page in try Self.pages {
      for example in try Self.examples(page) {
        #expect(snippets.contains(example), "\(page.lastPathComponent):\n\(example)")
      }
    }
  }

  @Test func `every compiled example is shown somewhere`() throws {
    let examples = Set(try Self.pages.flatMap(Self.examples))
    for snippet in try Self.snippets { #expect(examples.contains(snippet), "\(snippet)") }
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
