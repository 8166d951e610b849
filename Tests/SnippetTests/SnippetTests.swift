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

  /// The marked parts of the files beside this one, from `// snippet:` to `// end`, without the indentation of the mark.
  ///
  /// What is between `// hidden` and `// shown` is left out.
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
    var (found, lines): ([String], [String]) = ([], [])
    // The indentation of the mark before; nil outside of a part, and where it is hidden.
    var indent: Int?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let spaces = line.prefix { $0 == " " }.count
      switch line.dropFirst(spaces) {
      case "// hidden": indent = nil
      case "// shown": indent = spaces
      case "// end":
        found.append(lines.joined(separator: "\n").trimmed)
        (lines, indent) = ([], nil)
      case let mark where mark.hasPrefix("// snippet: "): indent = spaces
      default: if let indent { lines.append(String(line.dropFirst(min(indent, spaces)))) }
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
