/// Recognises the kind of a file beside a database by its name.
///
/// A pure function of names: it reads no file, uses no locale and ends in bounded time on any
/// bytes.
struct NameRecogniser: Sendable {
  /// No file name is longer.
  private static let longestName = 1024

  private let database: StoreName
  private let others: [StoreName]
  private let alphabet: Alphabet

  /// Takes the database's name and those of the other stores' databases in the folder.
  ///
  /// - Parameters:
  ///   - database: The name of the live file.
  ///   - others: Names that look like copies of this database but are stores of their own.
  init(database: [UInt8], others: [[UInt8]] = []) {
    var alphabet = ConflictTable.shared.alphabet
    self.database = StoreName(database, &alphabet)
    self.others = others.filter { $0 != database }.map { StoreName($0, &alphabet) }
    self.alphabet = alphabet
  }

  /// Quickly tests whether a name can belong to a copy or a staging file of the database, without
  /// the table; most other names fail.
  static func mayConcern(_ database: [UInt8]) -> (_ name: [UInt8]) -> Bool {
    guard database.allSatisfy({ $0 < 0x80 }) else { return { _ in true } }
    let beginning = NameParser.commonBeginning(of: Alphabet.text(bytes: database))
      .map { UInt8($0) }
    return { $0.starts(with: beginning) || ForeignNames.matches($0, ForeignNames.staging) }
  }

  /// The kind of a file with this name.
  func sibling(_ name: [UInt8]) -> Sibling {
    guard !name.isEmpty, name.count <= Self.longestName else { return .unrelated }
    if name == database.bytes { return .database }
    if others.contains(where: { $0.bytes == name }) { return .otherStore }
    let text = alphabet.text(utf8: name)
    let own = database.relation(of: name, text)
    let isTheirs = others.contains {
      $0.isCloser(than: database, own) && $0.relation(of: name, text) != .unrelated
    }
    if isTheirs { return .otherStore }
    return own == .unrelated ? foreign(name) : own
  }

  /// Names that mean the same beside every database.
  private func foreign(_ name: [UInt8]) -> Sibling {
    if ForeignNames.matches(name, ForeignNames.staging) { return .staging }
    let temporary = ForeignNames.temporary.first { ForeignNames.matches(name, $0.glob) }
    return temporary.map { .temporary($0.service) } ?? .unrelated
  }
}
