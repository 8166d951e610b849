import Foundation
import Testing

/// The page that says which test shows what the designs ask for.
struct RequirementsTests {
  private struct Row {
    let id: String
    let shownBy: [String]
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func rows() throws -> [Row] {
    let page = try String(
      contentsOf: Self.root.appending(path: "Tests/REQUIREMENTS.md"), encoding: .utf8)
    return page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: " | ").map(String.init)
      guard cells.count >= 3, cells[0].wholeMatch(of: /\| (OW|TL|BS|DD)-\d+b?/) != nil,
        let last = cells.last
      else { return nil }
      let shown = last.dropLast(last.hasSuffix(" |") ? 2 : 0).components(separatedBy: "<br>")
      return Row(id: String(cells[0].dropFirst(2)), shownBy: shown)
    }
  }

  /// The sentences of all tests.
  private func sentences() throws -> Set<String> {
    let folder = Self.root.appending(path: "Tests")
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
    var found: Set<String> = []
    for case let name as String in names where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      found.formUnion(text.matches(of: /func `([^`]+)`/).map { String($0.output.1) })
    }
    return found
  }

  @Test func `every row of the requirements is there once and has an answer`() throws {
    let rows = try rows()
    #expect(rows.count == 288 && Set(rows.map(\.id)).count == 288)
    for row in rows { #expect(row.shownBy.allSatisfy { !$0.isEmpty }, "\(row.id)") }
  }

  @Test func `every test that the requirements name is there`() throws {
    let sentences = try sentences()
    for row in try rows() {
      for cell in row.shownBy where cell.hasPrefix("`") && cell.hasSuffix("`") {
        #expect(sentences.contains(String(cell.dropFirst().dropLast())), "\(row.id): \(cell)")
      }
    }
  }
}
