import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The file of `merge --take`: what `merge --dry-run --json` prints, or as much of it as says which side each conflict takes.
struct TakeFile {
  /// The most that is read, in bytes.
  private static var limit: Int { 256 * 1024 * 1024 }

  let choices: [ConflictChoice]

  /// Reads a file; `name` is what it is called in a message.
  init(_ path: FilePath, called name: String, on files: FileSystem = FileSystem()) throws {
    let bytes: [UInt8]
    do {
      bytes = try files.readSmall(path, limit: Self.limit)
    } catch {
      throw Self.refusal(name, error.message)
    }
    do {
      self.init(choices: try Self.choices(in: JSONParser.parse(bytes, .ownFile)))
    } catch {
      throw Self.refusal(name, error.description)
    }
  }

  private init(choices: [ConflictChoice]) { self.choices = choices }

  /// The choices of a document.
  static func choices(in document: JSONValue) throws(HistoryError) -> [ConflictChoice] {
    guard let list = document["conflicts"], case .array(let values) = list else {
      throw .malformed("it has no list \"conflicts\"")
    }
    var choices: [ConflictChoice] = []
    for (index, value) in values.enumerated() {
      guard let choice = ConflictChoice(value) else {
        throw .malformed(
          "conflict \(index + 1) is not as it was printed: it needs a table, a key, and as side "
            + "ours or theirs")
      }
      choices.append(choice)
    }
    return choices
  }

  private static func refusal(_ name: String, _ why: String) -> StoreError {
    .usage(
      "\(name) cannot be read as choices: \(String(printable: why.utf8)); nothing was written",
      hint: "see what it has to look like: openwo help merge")
  }
}

extension ConflictChoice {
  /// The JSON that is printed and read.
  var json: JSONValue {
    .object([
      JSONMember("table", .string(table)), JSONMember("key", key.json),
      JSONMember("column", .text(column)), JSONMember("side", .string(side.rawValue)),
    ])
  }

  /// Reads what `json` wrote; the column may be left out.
  fileprivate init?(_ value: JSONValue) {
    guard case .string(let table)? = value["table"], case .array(let values)? = value["key"],
      case .string(let word)? = value["side"], let side = MergeResult.Side(rawValue: word)
    else { return nil }
    let key = values.compactMap(DataValue.init)
    guard key.count == values.count else { return nil }
    switch value["column"] {
    case .string(let column): self.init(table: table, key: key, column: column, side: side)
    case .null, nil: self.init(table: table, key: key, side: side)
    default: return nil
    }
  }
}

extension DataValue {
  /// The value that `json` wrote; nil for what it does not write.
  fileprivate init?(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .string(let text): self = .text(text)
    case .object(let members):
      guard members.count == 1, case .string(let text) = members[0].value else { return nil }
      switch members[0].name {
      case "real": self.init(real: text)
      case "blob": self.init(digits: text) { .blob($0) }
      case "bytes": self.init(digits: text) { .invalidText($0) }
      default: return nil
      }
    case .bool, .array, .written: return nil
    }
  }

  private init?(real text: String) {
    guard let real = Double(text) else { return nil }
    self = .real(real)
  }

  private init?(digits text: String, _ make: ([UInt8]) -> DataValue) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = make(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
