/// The rows of a table that are decided one at a time, as they have no effect on any other row.
///
/// Sides only updated them, and changed no key, unique value or reference.
struct PlainRows {
  /// The updates that were put aside; nil if a side has none.
  let updates: Sides<SpilledUpdates?>
  /// The numbers among them, in order, of the rows that are not plain.
  var odd: [Int64] = []
  /// How many plain rows each side updated.
  var counts = Sides<Int>(ours: 0, theirs: 0)

  /// The changes of each row, in order of their numbers.
  func reader() throws -> Reader {
    Reader(
      ours: try updates.ours?.reader(), theirs: try updates.theirs?.reader(), odd: odd)
  }

  /// Whether a side updated the plain row with a number.
  func contains(_ number: Int64, of side: MergeSide) throws -> Bool {
    var reader = try reader()
    while let (found, changes) = try reader.next() {
      if found == number { return changes[side] != nil }
    }
    return false
  }

  /// Reads the rows one by one.
  struct Reader {
    private var ours: SpilledUpdates.Reader?
    private var theirs: SpilledUpdates.Reader?
    private var odd: ArraySlice<Int64>
    private var heads = Sides<SideChange?>(ours: nil, theirs: nil)
    private var hasBegun = false

    init(ours: SpilledUpdates.Reader?, theirs: SpilledUpdates.Reader?, odd: [Int64]) {
      self.ours = ours
      self.theirs = theirs
      self.odd = odd[...]
    }

    /// The next row's number and changes; nil after the last.
    mutating func next() throws -> (number: Int64, changes: Sides<SideChange?>)? {
      if !hasBegun {
        heads = Sides(ours: try ours?.read(), theirs: try theirs?.read())
        hasBegun = true
      }
      while true {
        let (one, other) = (heads.ours?.base?.rowid, heads.theirs?.base?.rowid)
        guard one != nil || other != nil else { return nil }
        let number = min(one ?? .max, other ?? .max)
        var changes = Sides<SideChange?>(ours: nil, theirs: nil)
        if one == number {
          swap(&changes.ours, &heads.ours)
          heads.ours = try ours?.read()
        }
        if other == number {
          swap(&changes.theirs, &heads.theirs)
          heads.theirs = try theirs?.read()
        }
        while let first = odd.first, first < number { odd.removeFirst() }
        if odd.first != number { return (number, changes) }
      }
    }
  }
}

extension TableMerge {
  /// Hands out what became of each row, in the order that both devices share: of those in memory, and of the plain ones between them.
  func forEachRow(
    of rows: [MergedRow], _ clock: MergeClock, _ body: (MergedRow) throws -> Void
  ) throws {
    guard let plain else { return try rows.forEach(body) }
    var reader = try plain.reader()
    var next = try reader.next()
    let merger = RowMerger(table: self, clock: clock)
    func bodyOfPlain(upTo number: Int64) throws {
      while let (found, changes) = next, found <= number {
        try body(merger.merge(changes))
        next = try reader.next()
      }
    }
    for row in rows {
      if let number = row.place { try bodyOfPlain(upTo: number) }
      try body(row)
    }
    try bodyOfPlain(upTo: .max)
  }
}

extension MergedRow {
  /// The number that gives the row its place in the order.
  var place: Int64? {
    (changes.ours?.row ?? changes.ours?.base ?? changes.theirs?.row ?? changes.theirs?.base)?.rowid
  }
}
