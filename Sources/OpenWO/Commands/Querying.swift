import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// Asking a state of the database; changes nothing.
struct Querying: StorePart {
  let store: Store

  /// The rows of one statement that only reads.
  func run(
    _ sql: String, _ arguments: Arguments, at state: DatabaseState,
    _ range: SyncedDatabase.QueryRange, timeLimit: Duration, _ stop: StopSign
  ) throws -> SyncedDatabase.QueryResult {
    try Comparing(store: store).opening(state) { connection in
      var result = SyncedDatabase.QueryResult()
      var (passed, bytes) = (0, 0)
      do {
        result.columns = try stop.watching(connection) {
          try connection.ask(
            sql, arguments, timeLimit: timeLimit, lengthLimit: range.mostOfOne
          ) { row in
            guard passed >= range.offset else {
              passed += 1
              return true
            }
            guard result.rows.count < range.limit, bytes < range.bytes else {
              result.isCutShort = true
              return false
            }
            var (cells, weight): ([DataValue], Int) = ([], 0)
            for index in 0..<row.count {
              let cell = try CellValue(column: row.column(index))
              weight += cell.weight
              guard weight <= range.mostOfOne else { throw SQLiteError.rowTooLarge }
              cells.append(DataValue(cell))
            }
            bytes += weight
            result.rows.append(cells)
            return true
          }
        }
      } catch let error as SQLiteError {
        throw StoreError(asking: error, paths) ?? error
      }
      return result
    }
  }
}

extension StoreError {
  /// The error of a query; nil if the query is not at fault.
  fileprivate init?(asking error: SQLiteError, _ paths: StorePaths) {
    switch error.code {
    case .interrupt:
      self.init(
        .timeLimit, "the query took longer than it may; nothing was changed",
        advice: paths.next("give it more time", .queryLonger))
    case .authorization:
      self.init(
        .usage, "a query may only read (\(error.message)); nothing was changed",
        advice: paths.next("to change rows by hand", .editFile))
    case .error, .misuse, .range, .tooBig, .mismatch:
      self.init(
        .usage, "\(String(printable: error.message.utf8)); nothing was changed",
        advice: paths.next("see the tables and their columns", .queryTables))
    default: return nil
    }
  }
}

extension SQLiteError {
  fileprivate static let rowTooLarge = SQLiteError(
    .tooBig, "a row is larger than an answer may be; ask for parts of it, as substr does")
}

extension CellValue {
  /// About how many bytes it takes in a report.
  fileprivate var weight: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let bytes): bytes.count + 4
    case .blob(let bytes): 2 * bytes.count + 16
    }
  }
}
