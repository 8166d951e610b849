/// The steps that bring a database to the schema an application knows.
///
/// The number of a database's last step is its `user_version`. Each step runs in its own
/// transaction, so a failing step leaves the database as it was before that step. Foreign keys are
/// not enforced during a step, as rebuilding a table would otherwise delete rows that refer to it;
/// they are checked at its end. See <https://sqlite.org/lang_altertable.html#otheralter>.
public struct Migrations: Sendable {
  /// One step.
  public struct Step: Sendable {
    /// The `user_version` of a database after this step.
    public let number: Int
    let body: @Sendable (Connection) throws -> Void

    /// Makes a step that runs `body`; numbers start at 1, and gaps are allowed.
    public init(_ number: Int, _ body: @escaping @Sendable (Connection) throws -> Void) {
      self.number = number
      self.body = body
    }
  }

  /// The steps, in the order of their numbers.
  public let steps: [Step]

  /// Makes migrations from steps in any order; each needs a different number.
  public init(_ steps: [Step]) {
    self.steps = steps.sorted { $0.number < $1.number }
  }

  /// The `user_version` of a database after all steps.
  public var latest: Int { steps.last?.number ?? 0 }

  /// The steps that a database still needs.
  ///
  /// Throws ``MigrationError/newer(found:known:)`` if the database has a later step than these.
  public func pending(in db: Connection) throws -> [Step] {
    try checkNumbers()
    let found = try db.userVersion
    guard found <= latest else { throw MigrationError.newer(found: found, known: latest) }
    return steps.filter { $0.number > found }
  }

  /// Runs the steps that the database still needs and returns their numbers.
  ///
  /// Call it outside a transaction.
  @discardableResult
  public func run(on db: Connection) throws -> [Int] {
    try pending(in: db).filter { try $0.run(on: db) }.map(\.number)
  }

  private func checkNumbers() throws {
    let numbers = steps.map(\.number)
    guard numbers.allSatisfy({ $0 > 0 }), Set(numbers).count == numbers.count else {
      throw SQLiteError(.misuse, "migration steps need different numbers from 1 up: \(numbers)")
    }
  }
}

/// Why a database was not migrated.
public enum MigrationError: Error, Sendable, Equatable {
  /// A newer version of the application has written the database.
  case newer(found: Int, known: Int)
  /// A step left rows whose foreign keys refer to missing rows; it was rolled back.
  case brokenForeignKeys(step: Int, rows: [ForeignKeyViolation])
}

extension MigrationError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .newer(let found, let known):
      "the database has schema version \(found), this program knows versions up to \(known)"
    case .brokenForeignKeys(let step, let rows):
      "migration step \(step) left \(rows.count) rows whose foreign keys point nowhere"
    }
  }
}

extension Migrations.Step {
  /// Runs the step in one transaction; returns false if another process has already run it.
  @discardableResult
  public func run(on db: Connection) throws -> Bool {
    guard !db.isInTransaction else {
      throw SQLiteError(.misuse, "a migration step needs a transaction of its own")
    }
    return try db.withoutForeignKeys { try db.transaction(.immediate) { try take(in: db) } }
  }

  /// Takes the step in the open transaction, in which foreign keys are not enforced; false when it was taken already.
  package func take(in db: Connection) throws -> Bool {
    guard try db.userVersion < number else { return false }
    let before = Set(try db.foreignKeyViolations(limit: 1000))
    try body(db)
    let broken = try db.foreignKeyViolations(limit: 1000).filter { !before.contains($0) }
    guard broken.isEmpty else {
      throw MigrationError.brokenForeignKeys(step: number, rows: broken)
    }
    try db.setUserVersion(number)
    return true
  }
}
