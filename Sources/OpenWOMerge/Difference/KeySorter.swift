/// Puts the keys of very many rows in order, each with the places of its rows.
///
/// Keys are sorted run by run, and runs are put aside: only one of them is in memory.
struct KeySorter {
  /// A key, and where the row is that has it before and after.
  struct Entry {
    let key: [CellValue]
    let old: TreeCursor.Place?
    let new: TreeCursor.Place?
  }

  fileprivate enum Piece {
    case memory([UInt8])
    case aside(Int64)
  }

  /// Where runs are put aside; nil: they stay in memory.
  private let file: SpillFile?
  private let runSize: Int
  private var run = RowBytes()
  private var offsets: [UInt32] = []
  private var runs: [[Piece]] = []

  private static let pieceSize = 128 << 10
  /// The bytes before the key.
  private static let headSize = 16

  init(into file: SpillFile?, runSize: Int = 16 << 20) {
    self.file = file
    self.runSize = runSize
  }

  /// Adds a key.
  mutating func append(
    _ key: [CellValue], old: TreeCursor.Place?, new: TreeCursor.Place?
  ) throws {
    if run.bytes.count >= runSize { try flush(into: file) }
    offsets.append(UInt32(run.bytes.count))
    run.append(old?.word ?? 0)
    run.append(new?.word ?? 0)
    run.append(values: key)
  }

  /// All of them in order, equal ones in the order in which they came; none may be added afterwards.
  mutating func sorted() throws -> Reader {
    try flush(into: runs.isEmpty ? nil : file)
    run = RowBytes()
    return try Reader(runs, file)
  }

  /// Sorts the run, and puts it aside.
  private mutating func flush(into file: SpillFile?) throws {
    run.bytes.withUnsafeBytes { raw in
      offsets.sort {
        let rank = RowBytes.rank(raw, Int($0) + Self.headSize, raw, Int($1) + Self.headSize)
        return rank == 0 ? $0 < $1 : rank < 0
      }
    }
    var pieces: [Piece] = []
    var piece: [UInt8] = []
    for (index, offset) in offsets.enumerated() {
      if piece.isEmpty { piece.reserveCapacity(Self.pieceSize + 1024) }
      piece.append(contentsOf: run.bytes[Int(offset)..<run.end(at: Int(offset) + Self.headSize)])
      guard piece.count >= Self.pieceSize || index == offsets.count - 1 else { continue }
      pieces.append(try file.map { .aside(try $0.append(piece)) } ?? .memory(piece))
      piece = []
    }
    runs.append(pieces)
    run.bytes.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
  }

  /// Reads sorted runs as one.
  struct Reader {
    private let file: SpillFile?
    private var pieces: [ArraySlice<Piece>]
    private var heads: [RowBytes] = []
    private var offsets: [Int] = []

    fileprivate init(_ runs: [[Piece]], _ file: SpillFile?) throws {
      self.file = file
      pieces = runs.map { $0[...] }
      heads = runs.map { _ in RowBytes() }
      offsets = runs.map { _ in 0 }
      for run in runs.indices { try load(run) }
    }

    /// The next one; nil after the last.
    mutating func next() throws -> Entry? {
      var least: Int?
      for run in heads.indices where !heads[run].bytes.isEmpty {
        if let known = least, !isLess(run, known) { continue }
        least = run
      }
      guard let run = least else { return nil }
      let start = offsets[run] + KeySorter.headSize
      let entry = Entry(
        key: heads[run].values(at: start), old: place(run, 0), new: place(run, 8))
      offsets[run] = heads[run].end(at: start)
      if offsets[run] >= heads[run].bytes.count { try load(run) }
      return entry
    }

    private func isLess(_ run: Int, _ other: Int) -> Bool {
      heads[run].bytes.withUnsafeBytes { one in
        heads[other].bytes.withUnsafeBytes { two in
          RowBytes.rank(
            one, offsets[run] + KeySorter.headSize, two, offsets[other] + KeySorter.headSize) < 0
        }
      }
    }

    private func place(_ run: Int, _ shift: Int) -> TreeCursor.Place? {
      heads[run].bytes.withUnsafeBytes { raw in
        var offset = offsets[run] + shift
        return TreeCursor.Place(word: RowBytes.word(raw, &offset))
      }
    }

    private mutating func load(_ run: Int) throws {
      offsets[run] = 0
      switch pieces[run].popFirst() {
      case .memory(let bytes): heads[run].bytes = bytes
      case .aside(let number): heads[run].bytes = try file?.take(number) ?? []
      case nil: heads[run].bytes = []
      }
    }
  }
}

extension TreeCursor.Place {
  /// The place as one number, never 0.
  fileprivate var word: UInt64 { UInt64(page) << 16 | UInt64(cell) }

  fileprivate init?(word: UInt64) {
    guard word > 0 else { return nil }
    self.init(page: UInt32(word >> 16), cell: UInt16(truncatingIfNeeded: word))
  }
}
