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
    let first = RowBytes.rankOfFirstText(
      pieces[Int(one.piece)], Int(one.offset), pieces[Int(other.piece)], Int(other.offset))
    if let first, first != 0 { return first }
    return CellValue.rank(key(one), key(other))
  }
}

extension RowBytes {
  /// Adds values and how many there are.
  mutating func append(values: [CellValue]) {
    append(UInt64(values.count))
    for value in values { append(value) }
  }

  /// Values that were added so.
  func values(at offset: Int) -> [CellValue] {
    bytes.withUnsafeBytes { raw in
      var offset = offset
      let count = Int(Self.word(raw, &offset))
      return (0..<count).map { _ in Self.value(raw, &offset) ?? .null }
    }
  }

  /// How the first values of two lists compare if both are text; nil if they are something else.
  fileprivate static func rankOfFirstText(
    _ one: RowBytes, _ first: Int, _ other: RowBytes, _ second: Int
  ) -> Int? {
    one.bytes.withUnsafeBytes { one in
      other.bytes.withUnsafeBytes { other in
        var (a, b) = (first, second)
        guard word(one, &a) > 0, word(other, &b) > 0, one[a] == textKind, other[b] == textKind
        else {
          return nil
        }
        a += 1
        b += 1
        let (count, otherCount) = (Int(word(one, &a)), Int(word(other, &b)))
        for place in 0..<min(count, otherCount) where one[a + place] != other[b + place] {
          return one[a + place] < other[b + place] ? -1 : 1
        }
        return count == otherCount ? 0 : (count < otherCount ? -1 : 1)
      }
    }
  }
}
