import OpenWOSQLite

/// The changed rows of one table of one side, in order of their numbers or keys, in a private file.
final class SpilledRows {
  /// How many there are.
  private(set) var count = 0
  /// How many of them were in the base and are on the side.
  private(set) var updateCount = 0

  private let file: SpillFile
  private let isNumbered: Bool
  private let reused: ReusedNumbers.Candidates
  private var pieces: [Int64] = []
  private var buffer = RowBytes()

  private static let pieceSize = 128 << 10
  /// A row that takes more stays in memory.
  private static let largestRow = 64 << 20

  init(of table: TableShape, in file: SpillFile) {
    self.file = file
    isNumbered = if case .rowid = table.identity { true } else { false }
    reused = ReusedNumbers.Candidates(of: table)
  }

  /// Puts a changed row aside; false if it is too large for that, or has no key.
  func append(_ change: RowChange) throws -> Bool {
    let weight = ((change.old ?? []) + (change.new ?? [])).reduce(0) { $0 + $1.weight }
    guard weight <= Self.largestRow, let place = place(change) else { return false }
    buffer.append(kind(change), place, old: change.old, new: change.new)
    count += 1
    if change.kind == .updated { updateCount += 1 }
    if buffer.bytes.count >= Self.pieceSize { try flush() }
    return true
  }

  /// Reads them from the first one on.
  func reader() throws -> Reader {
    try flush()
    return Reader(file, pieces)
  }

  /// All of them with the other changes of the side, in the order in which a comparison finds them.
  func together(with others: [SideChange]) throws -> [SideChange] {
    var all = others
    var reader = try reader()
    while let row = try reader.read() { all.append(row.change) }
    return Self.inOrder(all)
  }

  /// Changes in the order in which a comparison finds them.
  static func inOrder(_ changes: [SideChange]) -> [SideChange] {
    let numbers = changes.map { ($0.base ?? $0.original)?.rowid ?? 0 }
    return changes.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { changes[$0] }
  }

  private func place(_ change: RowChange) -> RowPlace? {
    if isNumbered { return change.key.first?.int.map { RowPlace($0) } }
    return change.key.isEmpty || change.key.contains(where: \.isNull) ? nil : RowPlace(change.key)
  }

  private func kind(_ change: RowChange) -> SpilledRow.Kind {
    guard let old = change.old else { return .inserted }
    guard let new = change.new else { return .deleted }
    return reused.contains(old, new) ? .rewritten : .updated
  }

  private func flush() throws {
    if buffer.bytes.isEmpty { return }
    pieces.append(try file.append(buffer.bytes))
    buffer.bytes.removeAll(keepingCapacity: true)
  }

  /// Reads the rows one by one.
  struct Reader {
    private let file: SpillFile
    private let pieces: [Int64]
    private var next = 0
    private var bytes = RowBytes()
    private var offset = 0

    init(_ file: SpillFile, _ pieces: [Int64]) {
      self.file = file
      self.pieces = pieces
    }

    /// The next row; nil after the last.
    mutating func read() throws -> SpilledRow? {
      while offset >= bytes.bytes.count {
        guard next < pieces.count else { return nil }
        bytes.bytes = try file.bytes(pieces[next])
        next += 1
        offset = 0
      }
      return bytes.read(&offset)
    }
  }
}
