/// Pairs the rows of two tables by key, in any order, and reports them in key order.
///
/// `Place` says where a row is, so that rows without their pair yet need not be kept.
struct KeyedComparison<Place> {
  private struct Waiting {
    let place: Place
    let key: [CellValue]
  }

  private struct Found {
    let key: KeyList.Mark
    let old: Place?
    let new: Place?
  }

  let pair: TablePair
  let fetchOld: (Place) throws -> [CellValue]
  let fetchNew: (Place) throws -> [CellValue]
  private var matcher = RowMatcher<Waiting>()
  private var updated: [Found] = []
  private var keys = KeyList()
  /// Whether the updated rows were found in the order of their keys.
  private var isInOrder = true

  init(
    _ pair: TablePair, fetchOld: @escaping (Place) throws -> [CellValue],
    fetchNew: @escaping (Place) throws -> [CellValue]
  ) {
    self.pair = pair
    self.fetchOld = fetchOld
    self.fetchNew = fetchNew
  }

  /// Pairs the row if its twin has come already.
  mutating func match(old row: [CellValue], at place: Place) throws -> Bool {
    let key = pair.key(old: row)
    guard let twin = matcher.takeTwin(ofOld: key.canonical) else { return false }
    if pair.differs(row, try fetchNew(twin.place)) {
      add(twin.key, old: place, new: twin.place)
    }
    return true
  }

  /// Pairs the row if its twin has come already.
  mutating func match(new row: [CellValue], at place: Place) throws -> Bool {
    let key = pair.key(new: row)
    guard let twin = matcher.takeTwin(ofNew: key.canonical) else { return false }
    if pair.differs(try fetchOld(twin.place), row) {
      add(key.values, old: twin.place, new: place)
    }
    return true
  }

  /// Pairs the row, or lets it wait for its twin.
  mutating func offer(old row: [CellValue], at place: Place) throws {
    if try match(old: row, at: place) { return }
    let key = pair.key(old: row)
    matcher.park(old: Waiting(place: place, key: key.values), key: key.canonical)
  }

  /// Pairs the row, or lets it wait for its twin.
  mutating func offer(new row: [CellValue], at place: Place) throws {
    if try match(new: row, at: place) { return }
    let key = pair.key(new: row)
    matcher.park(new: Waiting(place: place, key: key.values), key: key.canonical)
  }

  private mutating func add(_ key: [CellValue], old: Place?, new: Place?) {
    let mark = keys.append(key)
    if isInOrder, let last = updated.last, keys.rank(last.key, mark) > 0 { isInOrder = false }
    updated.append(Found(key: mark, old: old, new: new))
  }

  /// Reports what was found; no row may be offered afterwards.
  mutating func finish(into collector: ChangeCollector) throws {
    for row in matcher.unmatchedOld { add(row.key, old: row.place, new: nil) }
    for row in matcher.unmatchedNew { add(row.key, old: nil, new: row.place) }
    matcher = RowMatcher()
    var found = updated
    updated = []
    if !isInOrder { found.sort { [keys] in keys.rank($0.key, $1.key) < 0 } }
    let keyCount = pair.keyCount
    let (fetchOld, fetchNew) = (fetchOld, fetchNew)
    for change in found {
      try collector.add(
        key: Array(keys.key(change.key).prefix(keyCount)),
        old: change.old.map { place in { try fetchOld(place) } },
        new: change.new.map { place in { try fetchNew(place) } })
    }
  }
}
