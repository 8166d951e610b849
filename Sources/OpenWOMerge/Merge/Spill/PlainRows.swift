/// The rows of a table that are decided one at a time, as they have no effect on any other row.
///
/// Sides changed no key, unique value or reference of them; what they inserted or deleted nobody points to.
struct PlainRows {
  /// The rows that were put aside; nil if a side has none.
  let spilled: Sides<SpilledRows?>
  /// Which of them in order are not plain.
  var odd: [Int] = []
  /// How many plain changes each side made.
  var counts = Sides<Int>(ours: 0, theirs: 0)
  /// The last number of a side that is not another row's now: behind it, a row of which no cell is left is another one.
  var lastLeft = Sides<Int64>(ours: .max, theirs: .max)
  /// Whether a plain row was inserted, deleted, or has a number that was used again.
  var hasBirths = false
  /// Whether a plain row has a number that was used again.
  var hasReused = false
  /// Whether what a side has of a plain row may have to go before all rows are written.
  var mayGiveWay = false
  /// Whether different new rows of both sides under one number have been told apart.
  var isSeparated = false
  /// Where the rows have gone that they point to.
  var moves = Sides<[ReferenceMoves]>(ours: [], theirs: [])
  /// New rows with another number, in the order in which they were given it.
  var renumbered: [GivenNumbers] = []

  init(_ spilled: Sides<SpilledRows?>) { self.spilled = spilled }

  /// The changes of each row, in order.
  func reader() throws -> Reader {
    Reader(
      try spilled.ours?.reader(), try spilled.theirs?.reader(), odd: odd, lastLeft: lastLeft)
  }

  /// Whether a side changed the plain row that is at a place in the result, and has it.
  func contains(_ place: RowPlace, of side: MergeSide) throws -> Bool {
    let own = renumbered.filter { $0.side == side }
    if place.key.isEmpty, own.contains(where: { $0.has(new: place.number) }) { return true }
    var reader = try reader()
    while let group = try reader.next() {
      guard group.place.rank(against: place) == 0 else { continue }
      guard let row = group.rows[side], row.isThere else { return false }
      return !own.contains { $0.number(of: group.place.number) != nil }
    }
    return false
  }

  /// Reads the rows one by one.
  struct Reader {
    private var ours: SpilledRows.Reader?
    private var theirs: SpilledRows.Reader?
    private var odd: ArraySlice<Int>
    private let lastLeft: Sides<Int64>
    private var heads = Sides<SpilledRow?>(ours: nil, theirs: nil)
    private var ordinal = -1

    init(
      _ ours: SpilledRows.Reader?, _ theirs: SpilledRows.Reader?, odd: [Int],
      lastLeft: Sides<Int64>
    ) {
      self.ours = ours
      self.theirs = theirs
      self.odd = odd[...]
      self.lastLeft = lastLeft
    }

    /// What the sides did to the next row; nil after the last.
    mutating func next() throws -> PlainGroup? {
      if ordinal < 0 { heads = Sides(ours: try ours?.read(), theirs: try theirs?.read()) }
      while true {
        let rank: Int
        switch (heads.ours, heads.theirs) {
        case (nil, nil): return nil
        case (_?, nil): rank = -1
        case (nil, _?): rank = 1
        case (let one?, let other?): rank = one.place.rank(against: other.place)
        }
        var rows = Sides<SpilledRow?>(ours: nil, theirs: nil)
        if rank <= 0 {
          swap(&rows.ours, &heads.ours)
          heads.ours = try ours?.read()
        }
        if rank >= 0 {
          swap(&rows.theirs, &heads.theirs)
          heads.theirs = try theirs?.read()
        }
        ordinal += 1
        if odd.first == ordinal {
          odd.removeFirst()
          continue
        }
        if let group = PlainGroup(rows, ordinal, lastLeft) { return group }
      }
    }
  }
}
