import OpenWOSQLite

/// Arguments whose number is only known when the program runs.
struct ArgumentList {
  private let values: [CellValue]

  init(_ values: [CellValue]) { self.values = values }

  /// Runs a statement with these arguments for its parameters.
  func run(
    on connection: Connection, _ sql: String, _ body: (borrowing Row) throws -> Void
  ) throws {
    try Self.run(connection, sql, values[...], body)
  }

  /// Moves arguments from the list into the pack of typed ones that a statement takes, eight at a time.
  private static func run<each A: Bindable>(
    _ connection: Connection, _ sql: String, _ rest: ArraySlice<CellValue>,
    _ body: (borrowing Row) throws -> Void, _ bound: repeat each A
  ) throws {
    let at = rest.startIndex
    if rest.isEmpty {
      try connection.forEach(sql, repeat each bound, body: body)
    } else if rest.count >= 8 {
      try run(
        connection, sql, rest.dropFirst(8), body, repeat each bound, rest[at], rest[at + 1],
        rest[at + 2], rest[at + 3], rest[at + 4], rest[at + 5], rest[at + 6], rest[at + 7])
    } else if rest.count >= 3 {
      try run(
        connection, sql, rest.dropFirst(3), body, repeat each bound, rest[at], rest[at + 1],
        rest[at + 2])
    } else {
      try run(connection, sql, rest.dropFirst(), body, repeat each bound, rest[at])
    }
  }
}
