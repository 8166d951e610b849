/// A set of tables: some by name, or all that there are.
package struct TableSet: Sendable, Hashable {
  /// The names in lower case.
  private var names: Set<String>
  private var isEverything: Bool

  /// All tables, for what no list of names describes.
  package static let everything = TableSet(names: [], isEverything: true)
  /// No table.
  package static let none = TableSet(names: [], isEverything: false)

  private init(names: Set<String>, isEverything: Bool) {
    (self.names, self.isEverything) = (names, isEverything)
  }

  /// Makes a set of names, whatever their case.
  package init(_ names: some Sequence<String>) {
    self.init(names: Set(names.map { $0.lowercased() }), isEverything: false)
  }

  /// Whether a table is in both.
  package func intersects(_ other: TableSet) -> Bool {
    if isEverything { return other.isEverything || !other.names.isEmpty }
    if other.isEverything { return !names.isEmpty }
    return !names.isDisjoint(with: other.names)
  }

  /// Adds the tables of another set.
  package mutating func formUnion(_ other: TableSet) {
    isEverything = isEverything || other.isEverything
    names.formUnion(other.names)
  }

  mutating func insert(_ name: String) { names.insert(name.lowercased()) }
}

/// The tables that statements read and write.
package struct TableUse: Sendable, Hashable {
  /// The tables that are read, by the statements or by triggers.
  package var read = TableSet.none
  /// The tables that are written, by the statements, triggers or cascades.
  package var written = TableSet.none

  /// Both unknown.
  static let everything = TableUse(read: .everything, written: .everything)

  mutating func formUnion(_ other: TableUse) {
    read.formUnion(other.read)
    written.formUnion(other.written)
  }
}
