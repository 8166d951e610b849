import ArgumentParser
import OpenWO
import OpenWOFiles

/// What is said about tables that their definitions do not say.
struct DeclarationOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A column that points to another table without a FOREIGN KEY, as note.book=book.id.",
      valueName: "column=column"))
  var reference: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Columns by which a row is known without a UNIQUE, as day=date.",
      valueName: "table=columns"))
  var key: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The column with a row's place, behind those that it is a place in, as item=list,position.",
      valueName: "table=columns"))
  var place: [String] = []

  /// All of them; `verb` is the one that is called.
  func declarations(_ verb: String) throws -> [MergeDeclaration] {
    try reference.map { try Self.reference($0, verb) }
      + key.map { word in
        let (table, columns) = try Self.columns(word, "key", verb)
        return .key(table: table, columns: columns)
      }
      + place.map { word in
        let (table, columns) = try Self.columns(word, "place", verb)
        return .place(
          table: table, column: columns[columns.count - 1], among: Array(columns.dropLast()))
      }
  }

  /// A declaration in the form in which it is given.
  static func word(_ declaration: MergeDeclaration) -> String {
    guard let own = declaration.columns.first, let parent = declaration.parent,
      let column = declaration.parentColumn
    else {
      return "\(declaration.table)=\(declaration.columns.joined(separator: ","))"
    }
    return "\(declaration.table).\(own)=\(parent).\(column)"
  }

  private static func reference(_ word: String, _ verb: String) throws -> MergeDeclaration {
    let ends = word.split(separator: "=", omittingEmptySubsequences: false).map {
      $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    guard ends.count == 2, ends.allSatisfy({ $0.count == 2 && !$0.contains("") }) else {
      throw refusal(word, "reference", "TABLE.COLUMN=TABLE.COLUMN", verb)
    }
    return .reference(
      table: ends[0][0], column: ends[0][1], parent: ends[1][0], parentColumn: ends[1][1])
  }

  private static func columns(
    _ word: String, _ option: String, _ verb: String
  ) throws -> (table: String, columns: [String]) {
    let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let columns = parts.last?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, !parts[0].isEmpty, !columns.contains("") else {
      throw refusal(word, option, "TABLE=COLUMN,COLUMN", verb)
    }
    return (parts[0], columns.map(String.init))
  }

  private static func refusal(
    _ word: String, _ option: String, _ form: String, _ verb: String
  ) -> StoreError {
    .usage(
      "\(String(printable: word.utf8)) is not a \(option): it is written \(form); nothing was written",
      hint: "see how it is called: openwo help \(verb)")
  }
}
