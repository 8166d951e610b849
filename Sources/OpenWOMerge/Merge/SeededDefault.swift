import OpenWOSQLite

/// A column's default that asks for the time or for chance, with a time that is given and numbers that the row itself gives.
struct SeededDefault {
  private enum Chance {
    case number
    case bytes(Int)
  }

  private let connection: Connection
  private let column: String
  /// The text between what is put in.
  private var sql = "SELECT "
  private var chances: [Chance] = []

  /// The default of a column; nil if it is not only these that make it another one each time.
  init?(_ column: ColumnShape, of table: TableShape, _ connection: Connection) throws {
    guard let expression = column.defaultSQL else { return nil }
    self.connection = connection
    self.column = SQLName.folded(column.name)
    guard read(expression) else { return nil }
    if try !isSteady("openwo default \(table.name) \(column.name)") { return nil }
  }

  /// The value for a row that was written at a time in milliseconds since 1970.
  func value(for row: MergeRow, of table: TableMerge, at time: Int64) throws -> CellValue? {
    var seed = Array(
      SQLName.plain(SQLName.folded(table.shape.name) + "\u{0}" + column).utf8)
    CanonicalKey.append(UInt64(bitPattern: time), to: &seed)
    seed += CanonicalKey(exactly: [row.rowid.map(CellValue.integer) ?? .null]).bytes
    seed += CanonicalKey(exactly: row.cells.map { $0 ?? .null }).bytes
    var chance = SeededBytes(seed)
    let drawn = chances.map { chance.draw($0) }
    return try connection.cells(sql, [.real(Double(time) / 1000)] + drawn).first?.first
  }

  /// Reads the expression; `?1` becomes the time, the other parameters chance.
  private mutating func read(_ expression: String) -> Bool {
    var tokens = SQLTokens(expression)
    let now = "strftime('%Y-%m-%d %H:%M:%f', ?1 , 'unixepoch')"
    var end = 0
    while let token = tokens.next() {
      sql += tokens.text(end..<tokens.range.lowerBound)
      switch token.lowercased() {
      case "'now": sql += now
      case "current_timestamp": sql += "datetime(\(now))"
      case "current_date": sql += "date(\(now))"
      case "current_time": sql += "time(\(now))"
      case "random":
        guard tokens.next() == "(", tokens.next() == ")" else { return false }
        take(.number)
      case "randomblob":
        guard tokens.next() == "(", let count = tokens.next().flatMap(Int.init), count <= 1024,
          tokens.next() == ")"
        else { return false }
        take(.bytes(max(1, count)))
      default: sql += tokens.text(tokens.range)
      }
      end = tokens.range.upperBound
    }
    return true
  }

  private mutating func take(_ chance: Chance) {
    chances.append(chance)
    sql += "?\(chances.count + 1) "
  }

  /// Whether SQLite holds what is left for the same each time, as it asks of a generated column.
  private func isSteady(_ name: String) throws -> Bool {
    var text = String(sql.dropFirst("SELECT ".count))
    let samples = [("?1 ", "0 ")] + chances.indices.map { ("?\($0 + 2) ", "x'00' ") }
    for (mark, sample) in samples.reversed() {
      text = text.split(separator: mark, omittingEmptySubsequences: false)
        .joined(separator: sample)
    }
    let table = "temp.\(SQLName.quoted(name))"
    do {
      try connection.run("PRAGMA temp_store = MEMORY")
      try connection.run("CREATE TABLE IF NOT EXISTS \(table)(row, value AS (\(text)))")
      try connection.run("INSERT INTO \(table)(row) VALUES (1)")
      try connection.run("SELECT value FROM \(table)")
      return true
    } catch let error as SQLiteError where error.code == .error {
      return false
    }
  }

  /// Numbers that follow from a seed, and look like chance (xorshift128+ after FNV-1a).
  private struct SeededBytes {
    private var state: (UInt64, UInt64)

    init(_ seed: [UInt8]) {
      var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f)
      for byte in seed {
        first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
        second = (second &+ UInt64(byte) &+ 1) &* 0xd6e8_feb8_6659_fd93
        second ^= second >> 32
      }
      state = (first, second | 1)
      for _ in 0..<16 { _ = next() }
    }

    mutating func draw(_ chance: Chance) -> CellValue {
      switch chance {
      case .number: .integer(Int64(bitPattern: next()))
      case .bytes(let count):
        .blob((0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) })
      }
    }

    private mutating func next() -> UInt64 {
      var word = state.0
      state.0 = state.1
      word ^= word << 23
      state.1 = word ^ state.0 ^ (word >> 18) ^ (state.0 >> 5)
      return state.0 &+ state.1
    }
  }
}
