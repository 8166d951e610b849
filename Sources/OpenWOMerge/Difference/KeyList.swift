/// Keys of very many rows as bytes, one behind the other.
struct KeyList {
  /// Where a key is.
  struct Mark {
    fileprivate let piece: UInt32
    fileprivate let offset: UInt32
  }

  private var pieces: [RowBytes] = []
  private static let pieceSize = 1 << 20

  /// Adds a key.
  mutating func append(_ key: [CellValue]) -> Mark {
    if pieces.last.map({ $0.bytes.count >= Self.pieceSize }) ?? true {
      var piece = RowBytes()
      piece.bytes.reserveCapacity(Self.pieceSize + 256)
      pieces.append(piece)
    }
    let last = pieces.count - 1
    let offset = pieces[last].bytes.count
    pieces[last].append(values: key)
    return Mark(piece: UInt32(last), offset: UInt32(offset))
  }

  /// The key at a mark.
  func key(_ mark: Mark) -> [CellValue] {
    pieces[Int(mark.piece)].values(at: Int(mark.offset))
  }

  /// How one key compares to another, as `CellValue.rank` tells.
  func rank(_ one: Mark, _ other: Mark) -> Int {
    pieces[Int(one.piece)].bytes.withUnsafeBytes { first in
      pieces[Int(other.piece)].bytes.withUnsafeBytes { second in
        RowBytes.rank(first, Int(one.offset), second, Int(other.offset))
      }
    }
  }
}
