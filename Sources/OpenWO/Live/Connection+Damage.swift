import OpenWOMerge
package import OpenWOSQLite

extension Connection {
  /// Why the content cannot become a version; nil if it can.
  ///
  /// What is written here is judged by its structure alone. In a file that a service delivered, pages of two states may be together: there a
  /// table and an index that disagree count too, as far as they can be compared.
  ///
  /// To be used inside a read lock.
  package func damage(ifDelivered isDelivered: Bool) throws -> String? {
    let structure = try checkStructure()
    if let damage = structure.damage { return damage }
    guard isDelivered else { return nil }
    if let doubt = structure.doubts.first { return doubt }
    return try findings().torn
  }

  /// What a person should know of a content that is whole: a few sentences, none if all is right.
  func notes() throws -> [String] {
    let found = try findings(limit: 20)
    let unchecked = try [found.unchecked].compactMap(\.self) + foreignKeyCheck(limit: 1).unchecked
    return found.problems + unchecked.map { "not all could be checked: \($0)" }
  }

  /// What SQLite's own check says of a content whose structure is sound.
  struct Findings {
    /// Nothing of it is damage.
    var problems: [String] = []
    /// Why some of it could not be checked.
    var unchecked: String?
    /// The first sign that pages of two states came together.
    var torn: String?
  }

  /// Holds rows against indexes and constraints.
  ///
  /// Collations and functions of an application are not known here, and whoever wrote the schema can make the check as slow as he likes.
  ///
  /// - Throws: What says nothing of the content, such as a page that cannot be read now.
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
