import OpenWOCSQLite

extension Database {
  /// A statement that is meant to stay; the text must hold exactly one.
  func prepare(_ sql: String) throws -> OpaquePointer {
    try withText(sql) { text in
      var text = text
      guard let statement = try prepareFirst(&text, flags: SQLITE_PREPARE_PERSISTENT) else {
        throw SQLiteError(.misuse, "no statement", sql: sql)
      }
      let first = noted
      defer { noted = first }
      do {
        guard let second = try prepareFirst(&text) else { return statement }
        sqlite3_finalize(second)
        throw SQLiteError(.misuse, "more than one statement", sql: sql)
      } catch {
        sqlite3_finalize(statement)
        throw error
      }
    }
  }

  /// Runs the statements of a script one after another; rows are passed over.
  func run(_ script: String) throws {
    try withText(script) { text in
      var text = text
      while let statement = try prepareFirst(&text) {
        defer { sqlite3_finalize(statement) }
        var result = SQLITE_ROW
        while result == SQLITE_ROW { result = sqlite3_step(statement) }
        guard result == SQLITE_DONE else {
          let sql = sqlite3_sql(statement).map { String(cString: $0) }
          throw SQLiteError(result: result, database: handle, sql: sql)
        }
      }
    }
  }

  /// Lends the text with the zero at its end, without which SQLite would copy all of it for each statement.
  private func withText<T>(
    _ sql: String, _ body: (UnsafeBufferPointer<CChar>) throws -> T
  ) throws -> T {
    let count = sql.utf8.count
    guard !sql.utf8.contains(0) else { throw SQLiteError(.misuse, "SQL text with U+0000") }
    guard count < Int32.max else { throw SQLiteError(.tooBig, "SQL text too long") }
    return try sql.withCString { try body(UnsafeBufferPointer(start: $0, count: count + 1)) }
  }

  /// Prepares the first statement and moves on to what follows it; nothing if only comments are
  /// left.
  private func prepareFirst(
    _ text: inout UnsafeBufferPointer<CChar>, flags: Int32 = 0
  ) throws -> OpaquePointer? {
    guard isOpen else { throw closedError }
    (isPreparing, noted) = (true, TableUse())
    defer {
      isPreparing = false
      used?.formUnion(noted)
    }
    while text.count > 1 {
      var statement: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let result = sqlite3_prepare_v3(
        handle, text.baseAddress, Int32(text.count), UInt32(flags), &statement, &tail)
      let read = text.baseAddress.flatMap { start in tail.map { $0 - start } } ?? text.count - 1
      guard result == SQLITE_OK else {
        throw SQLiteError(result: result, database: handle, sql: beginning(of: text, read: read))
      }
      text = UnsafeBufferPointer(rebasing: text[read...])
      if let statement { return statement }
    }
    return nil
  }

  /// The statement that failed: what SQLite has read, on to the semicolon, if that was not the last.
  private func beginning(of text: UnsafeBufferPointer<CChar>, read: Int) -> String {
    let rest = text[max(0, read - 1)...].prefix { $0 != 0 && $0 != 0x3b }
    let bytes = text[..<rest.endIndex].drop { $0 == 0x20 || $0 == 0x0a }
    return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
