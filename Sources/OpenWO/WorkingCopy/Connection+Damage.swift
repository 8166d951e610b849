import OpenWOMerge
package import OpenWOSQLite

extension Connection {
  /// Why the content cannot become a version; nil if it can.
  ///
  /// A content that was written here is judged by its structure alone. A delivered file may mix
  /// pages of two states: there a table and an index that disagree count too, as far as they can be
  /// compared.
  ///
  /// Call this inside a read lock.
  package func damage(ifDelivered isDelivered: Bool) throws -> String? {
    let structure = try checkStructure()
    if let damage = structure.damage { return damage }
    guard isDelivered else { return nil }
    if let doubt = structure.doubts.first { return doubt }
    return try findings().torn
  }

  /// Findings for a person about a content that is whole: a few sentences, none if all is right.
  func notes() throws -> [String] {
    let found = try findings(limit: 20)
    let unchecked = try [found.unchecked].compactMap(\.self) + foreignKeyCheck(limit: 1).unchecked
    return found.problems + unchecked.map { "not all could be checked: \($0)" }
  }

  /// The findings of SQLite's own check of a content whose structure is sound.
  struct Findings {
    /// Nothing of it is damage.
    var problems: [String] = []
    /// Why some of it could not be checked.
    var unchecked: String?
    /// The first sign that pages of two states came together.
    var torn: String?
  }

  /// Checks rows against indexes and constraints.
  ///
  /// An application's collations and functions are unknown here, and the author of the schema can
  /// make the check arbitrarily slow.
  ///
  /// - Throws: Errors that say nothing about the content, such as a page that cannot be read now.
  func findings(limit: Int = 1000) throws -> Findings {
    do {
      let check = try boundedIntegrityCheck(limit: limit)
      let slow = check.isComplete ? nil : "holding rows against indexes takes too long"
      return Findings(
        problems: check.problems, unchecked: slow,
        torn: check.problems.first { !Self.isAboutValue($0) })
    } catch let error as SQLiteError where error.code == .corrupt {
      return Findings(problems: [error.message], torn: error.message)
    } catch let error as SQLiteError where !error.isPassing {
      let why = error.code == .interrupt ? "it takes too long" : error.message
      return Findings(unchecked: why)
    }
  }
}
