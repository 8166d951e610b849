import OpenWOApp
import OpenWOShell
import SystemPackage

/// Reading what a person wants to bring in, and how.
enum MergeChoice {
  /// The rules that the page offers.
  static let rules: [MergeRule] = [.cells, .newest, .ours, .theirs, .union]

  /// The side that fields name: a version, or one of the copies that wait.
  static func source(
    _ fields: Fields, _ store: SyncedDatabase, _ file: StoreFile
  ) throws -> MergeSource {
    if let id = fields["version"].flatMap({ VersionID($0) }) { return .version(id) }
    let name = fields["file"]
    let waiting = try store.mergeable()
    // Only a file that openwo itself has found there; a name from outside never becomes a path.
    let found = waiting.first { source in
      if case .file(let path) = source { path.lastComponent?.string == name } else { false }
    }
    guard let found else {
      throw StoreError(
        .noSuchVersion, "there is no such side any more", hint: "see them: openwo conflicts")
    }
    return found
  }

  /// The rules by table, as in `table=session&table-rule=theirs`.
  static func rules(_ fields: Fields) -> [String: MergeRule] {
    Dictionary(
      zip(fields.all("table"), fields.all("table-rule")).compactMap { table, rule in
        MergeRule(rawValue: rule).map { (table, $0) }
      }, uniquingKeysWith: { _, last in last })
  }
}
