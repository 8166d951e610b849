/// Pairs rows of two tables by key while both are read, in any order.
///
/// A row waits here until its twin comes by. Read in nearly the same order, few rows ever wait beside
/// those that have no twin; so memory is that of the changes. Rows with one key are paired in turn.
struct RowMatcher<Row> {
  private var waitingOld: [CanonicalKey: [Row]] = [:]
  private var waitingNew: [CanonicalKey: [Row]] = [:]

  /// The row of the second table that waits for this key; it waits no longer.
  mutating func takeTwin(ofOld key: CanonicalKey) -> Row? { Self.take(key, from: &waitingNew) }

  /// The row of the first table that waits for this key; it waits no longer.
  mutating func takeTwin(ofNew key: CanonicalKey) -> Row? { Self.take(key, from: &waitingOld) }

  /// Lets a row of the first table wait.
  mutating func park(old row: Row, key: CanonicalKey) {
    waitingOld[key, default: []].append(row)
  }

  /// Lets a row of the second table wait.
  mutating func park(new row: Row, key: CanonicalKey) {
    waitingNew[key, default: []].append(row)
  }

  /// The rows of the first table that have no twin.
  var unmatchedOld: [Row] { waitingOld.values.flatMap(\.self) }

  /// The rows of the second table that have no twin.
  var unmatchedNew: [Row] { waitingNew.values.flatMap(\.self) }

  private static func take(_ key: CanonicalKey, from waiting: inout [CanonicalKey: [Row]]) -> Row? {
    guard let index = waiting.index(forKey: key) else { return nil }
    let row = waiting.values[index].removeFirst()
    if waiting.values[index].isEmpty { waiting.remove(at: index) }
    return row
  }
}
