import OpenWOCSQLite

/// A row whose foreign key refers to a missing row.
public struct ForeignKeyViolation: Sendable, Hashable {
  /// The table that holds the row.
  public let table: String
  /// The row's id; nil if the table has no row ids.
  public let rowID: Int64?
  /// The table that should have the missing row.
  public let parent: String
  /// The number of the foreign key in `PRAGMA foreign_key_list`.
  public let index: Int
}

extension Connection {
  /// The findings of `PRAGMA integrity_check`, at most `limit` sentences; none if the database is
  /// whole.
  ///
  /// It throws if the check cannot be made, for example for an unknown collation or a page that
  /// cannot be read.
  package func integrityCheck(limit: Int = 100) throws -> [String] {
    try sentences(ofCheck: "integrity_check", limit)
  }

  private func sentences(ofCheck pragma: String, _ limit: Int) throws -> [String] {
    let found = try rows("PRAGMA \(pragma)(\(limit))") { try $0.get(0) as String }
    guard found != ["ok"] else { return [] }
    if let failure = Self.failure(ofCheckThatFound: found) { throw failure }
    // A row may hold several lines, the first of them a headline such as "*** in database main ***".
    let lines = found.flatMap { $0.split(separator: "\n").map(String.init) }
    let sentences = lines.filter { !$0.hasPrefix("***") }
    return sentences.isEmpty ? found : Array(sentences.prefix(limit))
  }

  /// Whether a sentence of a check is about a value that a constraint or a type forbids, and not about pages or indexes.
  ///
  /// SQLite 3.40 says so wrongly of tables without rowids.
  package static func isAboutValue(_ problem: String) -> Bool {
    [" value in ", "CHECK constraint failed in ", " imprecise floating-point value "]
      .contains { problem.firstRange(of: $0) != nil }
  }

  /// Whether a sentence of a check is about pages, and not about what is in them.
  package static func isAboutPages(_ problem: String) -> Bool {
    let isIndex = [
      " missing from index ", "wrong # of entries ", "non-unique entry ", "inverted index",
    ]
    .contains { problem.firstRange(of: $0) != nil }
    return !isIndex && !isAboutValue(problem)
  }

  /// The findings of a check, and whether it could look at everything in its time.
  package struct Checked: Sendable, Hashable {
    /// As `integrityCheck` tells them; none when nothing is wrong.
    package var problems: [String]
    /// Whether rows were checked against indexes and constraints too, not only the structure.
    package var isComplete: Bool

    package init(problems: [String], isComplete: Bool) {
      (self.problems, self.isComplete) = (problems, isComplete)
    }
  }

  /// Does `integrityCheck` in bounded time: a second, and a tenth for each megabyte.
  ///
  /// That check evaluates expressions of the schema, which anybody may have written into a file, so it may take any time. When it is not done,
  /// only the structure is looked at, without indices and constraints: a file must not count as damaged because somebody made it slow.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/interrupt`` when that takes too long as well, so that nothing is known of the file.
  package func boundedIntegrityCheck(
    limit: Int = 100, base: Duration = .seconds(1)
  ) throws -> Checked {
    let time = try base + .milliseconds(fileSize() / 10_000)
    do {
      let problems = try database.withTimeLimit(time) { try integrityCheck(limit: limit) }
      return Checked(problems: problems, isComplete: true)
    } catch let error as SQLiteError where error.code == .interrupt {
      let problems = try database.withTimeLimit(max(time, .seconds(1))) {
        try structureCheck(limit: limit)
      }
      return Checked(problems: problems, isComplete: false)
    }
  }

  /// The findings of `PRAGMA quick_check` without constraints.
  private func structureCheck(limit: Int) throws -> [String] {
    let ignored = try value("PRAGMA ignore_check_constraints", as: Bool.self) ?? false
    try database.run("PRAGMA ignore_check_constraints = ON")
    defer { if !ignored { try? database.run("PRAGMA ignore_check_constraints = OFF") } }
    return try sentences(ofCheck: "quick_check", limit)
  }

  /// The error that kept a check from seeing the file; nil if what it found are faults of the file.
  ///
  /// SQLite tells of a page that could not be read as of a page that is damaged (`checkTreePage` in its `btree.c`). A file must not be taken
  /// for damaged because it could not be read for a moment.
  package static func failure(ofCheckThatFound problems: [String]) -> SQLiteError? {
    for problem in problems {
      if problem.contains("failed to get page") { return SQLiteError(.ioError, problem) }
      guard let mark = problem.firstRange(of: "error code=") else { continue }
      let digits = problem[mark.upperBound...].prefix(while: \.isNumber)
      let code = ResultCode(rawValue: Int32(digits) ?? 0)
      if code.primary != .corrupt { return SQLiteError(code, problem) }
    }
    return nil
  }

  /// The rows whose foreign keys point nowhere, at most `limit`.
  package func foreignKeyViolations(limit: Int = 100) throws -> [ForeignKeyViolation] {
    try foreignKeyCheck(limit: limit).violations
  }

  /// The rows whose foreign keys point nowhere, at most `limit`, and why the keys of some tables cannot be followed.
  ///
  /// SQLite puts up with a key that points to columns without a unique index, or that needs an unknown collation, until it is used.
  package func foreignKeyCheck(
    limit: Int = 100
  ) throws -> (violations: [ForeignKeyViolation], unchecked: [String]) {
    var (violations, unchecked): ([ForeignKeyViolation], [String]) = ([], [])
    let tables = try rows(Self.ordinaryTables) { try $0.get(0) as String }
    for table in tables where violations.count < limit {
      do {
        violations += try rows(Self.brokenKeys, table, limit - violations.count) {
          ForeignKeyViolation(
            table: try $0.get(0), rowID: try $0.get(1), parent: try $0.get(2),
            index: try $0.get(3))
        }
      } catch let error as SQLiteError where !error.isPassing && error.code != .corrupt {
        unchecked.append(error.message)
      }
    }
    return (violations, unchecked)
  }

  private static let ordinaryTables =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
  private static let brokenKeys =
    "SELECT \"table\", rowid, parent, fkid FROM pragma_foreign_key_check(?) LIMIT ?"

  /// Says whether the last one to close a database in WAL mode folds its log into it, as SQLite does where nothing is said.
  package func foldsOnClose(_ folds: Bool) throws {
    guard let handle = database.handle else { throw database.closedError }
    try database.check(
      openwo_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, folds ? 0 : 1))
  }

  /// Brings a database in WAL mode back to a rollback journal, with all its rows.
  ///
  /// Needs a connection opened with ``GuardPolicy/foldWAL(judge:)``. Returns whether there was anything to do.
  @discardableResult
  package func foldWAL() throws -> Bool {
    guard try header().isWAL else { return false }
    let mode = try value("PRAGMA journal_mode = DELETE", as: String.self)
    guard mode == "delete", try !header().isWAL else {
      throw SQLiteError(.busy, "another connection keeps the database in WAL mode")
    }
    return true
  }
}
