/// What the sides did under one number or key, as it was put aside.
struct PlainGroup {
  let rows: Sides<SpilledRow?>
  let place: RowPlace
  /// How many come before it.
  let ordinal: Int
  /// Whether a side has another row there than in the base.
  let isReused: Sides<Bool>

  init?(_ rows: Sides<SpilledRow?>, _ ordinal: Int, _ lastLeft: Sides<Int64>) {
    guard let row = rows.ours ?? rows.theirs else { return nil }
    func isReused(_ row: SpilledRow?, _ lastLeft: Int64) -> Bool {
      row.map { $0.kind == .rewritten && $0.place.number > lastLeft } ?? false
    }
    self.rows = rows
    self.ordinal = ordinal
    place = row.place
    self.isReused = Sides(
      ours: isReused(rows.ours, lastLeft.ours), theirs: isReused(rows.theirs, lastLeft.theirs))
  }

  /// Whether a side made a row here.
  func hasBirth(_ side: MergeSide) -> Bool { isReused[side] || rows[side]?.kind == .inserted }

  /// Whether a side has the row of the base no more.
  func hasDeath(_ side: MergeSide) -> Bool { isReused[side] || rows[side]?.kind == .deleted }

  /// Whether a side did something to the row of the base.
  func hasOld(_ side: MergeSide) -> Bool { rows[side].map { $0.kind != .inserted } ?? false }

  /// Whether the row of the base is all that this is about, and each side that changed it has it still.
  var isUpdate: Bool {
    MergeSide.allCases.allSatisfy { side in
      guard let row = rows[side] else { return true }
      return row.kind == .updated || row.kind == .rewritten && !isReused[side]
    }
  }

  /// Whether this is about one row.
  var isOne: Bool { !isReused.ours && !isReused.theirs }

  /// Whether what one of the sides has here may have to go first: it is gone, another row, or both made one.
  var mayGiveWay: Bool {
    hasDeath(.ours) || hasDeath(.theirs) || hasBirth(.ours) && hasBirth(.theirs)
  }

  /// The changes of the row of the base, and the rows that were made, if they are wanted of a side.
  func changes(
    withBirths wanted: Sides<Bool> = Sides(ours: true, theirs: true)
  ) -> (old: Sides<SideChange?>, new: Sides<SideChange?>) {
    var old = Sides<SideChange?>(ours: nil, theirs: nil)
    var new = old
    for side in MergeSide.allCases {
      guard let row = rows[side], wanted[side] || row.kind != .inserted else { continue }
      let change = row.change
      if isReused[side] {
        old[side] = SideChange(base: change.base, row: nil)
        if wanted[side] { new[side] = SideChange(base: nil, row: change.original) }
      } else if row.kind == .inserted {
        new[side] = change
      } else {
        old[side] = change
      }
    }
    return (old, new)
  }

  /// All changes of one side.
  func changes(of side: MergeSide) -> [SideChange] {
    guard let change = rows[side]?.change else { return [] }
    guard isReused[side] else { return [change] }
    return [SideChange(base: change.base, row: nil), SideChange(base: nil, row: change.original)]
  }
}
