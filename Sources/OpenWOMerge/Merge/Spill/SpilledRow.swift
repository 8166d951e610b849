/// A changed row of one side as it comes from the private file; its cells are read when they are asked for.
struct SpilledRow {
  /// The kind of change.
  enum Kind: UInt8 {
    case inserted = 1
    case updated = 2
    /// Updated so that no cell is left: it may be another row with the same number.
    case rewritten = 3
    case deleted = 4
  }

  let kind: Kind
  let place: RowPlace
  private let bytes: [UInt8]
  private let body: Range<Int>

  init(kind: Kind, place: RowPlace, bytes: [UInt8], body: Range<Int>) {
    self.kind = kind
    self.place = place
    self.bytes = bytes
    self.body = body
  }

  /// Whether the side has the row.
  var isThere: Bool { kind != .deleted }

  /// The change.
  var change: SideChange {
    let isUpdate = kind == .updated || kind == .rewritten
    let values = RowBytes.values(in: bytes, body, isUpdate: isUpdate)
    let number = place.key.isEmpty ? place.number : nil
    let first = MergeRow(rowid: number, cells: values.first)
    switch kind {
    case .inserted: return SideChange(base: nil, row: first)
    case .deleted: return SideChange(base: first, row: nil)
    case .updated, .rewritten:
      return SideChange(base: first, row: MergeRow(rowid: number, cells: values.second))
    }
  }

  /// Whether two inserted rows have the same cells.
  func hasSameCells(as other: SpilledRow) -> Bool {
    guard kind == other.kind, body.count == other.body.count else { return false }
    return bytes[body].elementsEqual(other.bytes[other.body])
  }
}
