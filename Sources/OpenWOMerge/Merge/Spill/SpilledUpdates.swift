import OpenWOSQLite

/// The updated rows of one table of one side, in order of their numbers, in a private file.
final class SpilledUpdates {
  /// How many there are.
  private(set) var count = 0

  private let file: SpillFile
  private var pieces: [Int64] = []
  private var buffer = RowBytes()

  private static let pieceSize = 128 << 10
  /// A row that takes more stays in memory.
  private static let largestRow = 64 << 20

  init(in file: SpillFile) { self.file = file }

  /// Puts an updated row aside; false if it is too large for that.
  func append(_ change: RowChange) throws -> Bool {
    guard let number = change.key.first?.int, let old = change.old, let new = change.new,
      (old + new).reduce(0, { $0 + $1.weight }) <= Self.largestRow
    else { return false }
    buffer.append(number, old, new)
    count += 1
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
    while let change = try reader.read() { all.append(change) }
    return Self.inOrder(all)
  }

  /// Changes in the order in which a comparison finds them.
  static func inOrder(_ changes: [SideChange]) -> [SideChange] {
    let numbers = changes.map { ($0.base ?? $0.original)?.rowid ?? 0 }
    return changes.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { changes[$0] }
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
    mutating func read() throws -> SideChange? {
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
