/// Pairs the rows of two tables by keys that are compared byte by byte, however many there are.
///
/// Rows come in any order: their keys are sorted in a file, as nothing is left out before all are there.
final class SortedComparison: RowPairing {
  private let pair: TablePair
  private let keyCount: Int
  private let fetchOld: (TreeCursor.Place) throws -> [CellValue]
  private let fetchNew: (TreeCursor.Place) throws -> [CellValue]
  private var keys: KeySorter

  /// Nil without a file, or if the key has another order than its bytes.
  init?(
    _ pair: TablePair, into file: SpillFile?,
    fetchOld: @escaping (TreeCursor.Place) throws -> [CellValue],
    fetchNew: @escaping (TreeCursor.Place) throws -> [CellValue]
  ) {
    guard let file, case .key(_, _, let collations) = pair.pairing,
      collations.allSatisfy({ $0 == .binary })
    else { return nil }
    self.pair = pair
    keyCount = pair.keyCount
    self.fetchOld = fetchOld
    self.fetchNew = fetchNew
    keys = KeySorter(into: file)
  }

  func offer(old row: [CellValue], at place: TreeCursor.Place) throws {
    try keys.append(pair.keyValues(old: row), old: place, new: nil)
  }

  func offer(new row: [CellValue], at place: TreeCursor.Place) throws {
    try keys.append(pair.keyValues(new: row), old: nil, new: place)
  }

  func offer(
    old row: [CellValue], at place: TreeCursor.Place, new: [CellValue],
    at newPlace: TreeCursor.Place
  ) throws {
    let (before, after) = (pair.keyValues(old: row), pair.keyValues(new: new))
    if isSame(before, after) {
      if pair.differs(row, new) { try keys.append(after, old: place, new: newPlace) }
    } else {
      try keys.append(before, old: place, new: nil)
      try keys.append(after, old: nil, new: newPlace)
    }
  }

  func finish(into collector: ChangeCollector) throws {
    var reader = try keys.sorted()
    var same: [KeySorter.Entry] = []
    while let entry = try reader.next() {
      if let first = same.first, !isSame(first.key, entry.key) {
        try report(same, collector)
        same.removeAll(keepingCapacity: true)
      }
      same.append(entry)
    }
    try report(same, collector)
  }

  /// Pairs rows with one key in turn.
  private func report(_ same: [KeySorter.Entry], _ collector: ChangeCollector) throws {
    if same.count == 1 {
      return try add(same[0], old: same[0].old, new: same[0].new, collector)
    }
    var (old, new): ([KeySorter.Entry], [KeySorter.Entry]) = ([], [])
    for entry in same {
      if entry.old != nil, entry.new != nil {
        try add(entry, old: entry.old, new: entry.new, collector)
      } else if entry.old != nil {
        old.append(entry)
      } else {
        new.append(entry)
      }
    }
    for (before, after) in zip(old, new) {
      guard let one = before.old, let other = after.new,
        try pair.differs(fetchOld(one), fetchNew(other))
      else { continue }
      try add(after, old: one, new: other, collector)
    }
    for entry in old.dropFirst(new.count) { try add(entry, old: entry.old, new: nil, collector) }
    for entry in new.dropFirst(old.count) { try add(entry, old: nil, new: entry.new, collector) }
  }

  private func add(
    _ entry: KeySorter.Entry, old: TreeCursor.Place?, new: TreeCursor.Place?,
    _ collector: ChangeCollector
  ) throws {
    try collector.add(
      key: entry.key.count > keyCount ? Array(entry.key.prefix(keyCount)) : entry.key,
      old: old.map { place in { [fetchOld] in try fetchOld(place) } },
      new: new.map { place in { [fetchNew] in try fetchNew(place) } })
  }

  /// Whether two keys are one.
  ///
  /// Whole rows that take the place of a key are the same only in every storage class.
  private func isSame(_ one: [CellValue], _ other: [CellValue]) -> Bool {
    if one.count == keyCount, other.count == keyCount {
      return CellValue.rank(ofKeys: one, other) == 0
    }
    return one == other
  }
}
