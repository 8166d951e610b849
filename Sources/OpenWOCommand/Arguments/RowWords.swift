import ArgumentParser
import OpenWO
import OpenWOFiles

/// The values of `--row`: a table, and the key of one of its rows.
///
/// They reach to the next option, so DATABASE may be the last of them.
struct RowWords {
  let request: RowsRequest?
  /// The word for DATABASE, if it came last.
  let database: String?

  init(_ words: [String]) {
    let isNamed = words.count > 2 && words.last.map(SortedWords.isStore) == true
    database = isNamed ? words.last : nil
    let rest = isNamed ? words.dropLast() : words[...]
    request = rest.first.map { RowsRequest(table: $0, key: Array(rest.dropFirst())) }
  }

  /// The row that is meant.
  func row(_ verb: String) throws -> RowsRequest? {
    guard let request else { return nil }
    guard request.key?.isEmpty == false else {
      throw StoreError.usage(
        "--row needs a table and the key of a row",
        hint: "see how it is called: openwo help \(verb)")
    }
    return request
  }
}

extension RowsRequest {
  /// The row for people, such as `row 3 of entry`.
  var label: String {
    let table = String(printable: table.utf8)
    guard let key else { return "table \(table)" }
    return "row \(key.map { String(printable: $0.utf8) }.joined(separator: ", ")) of \(table)"
  }
}
