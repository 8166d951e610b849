/// Changed rows as bytes, one after the other.
struct RowBytes {
  var bytes: [UInt8] = []

  /// Adds a row: of one that was there before only the cells that differ are written twice.
  mutating func append(
    _ kind: SpilledRow.Kind, _ place: RowPlace, old: [CellValue]?, new: [CellValue]?
  ) {
    bytes.append(kind.rawValue)
    append(UInt64(bitPattern: place.number))
    append(UInt64(place.key.count))
    for value in place.key { append(value) }
    let start = bytes.count
    append(UInt64(0))
    let first = old ?? new ?? []
    append(UInt64(first.count))
    for value in first { append(value) }
    if let old, let new {
      for (before, after) in zip(old, new) {
        if before == after { bytes.append(Self.asBefore) } else { append(after) }
      }
    }
    let count = UInt64(bytes.count - start - 8)
    withUnsafeBytes(of: count) { bytes.replaceSubrange(start..<start + 8, with: $0) }
  }

  /// Reads the row at an offset, which is then that of the next one.
  func read(_ offset: inout Int) -> SpilledRow? {
    bytes.withUnsafeBytes { raw in
      guard let kind = SpilledRow.Kind(rawValue: raw[offset]) else { return nil }
      offset += 1
      let number = Int64(bitPattern: Self.word(raw, &offset))
      let count = Int(Self.word(raw, &offset))
      var place = RowPlace(number)
      if count > 0 {
        place = RowPlace((0..<count).map { _ in Self.value(raw, &offset) ?? .null })
      }
      let length = Int(Self.word(raw, &offset))
      defer { offset += length }
      return SpilledRow(kind: kind, place: place, bytes: bytes, body: offset..<offset + length)
    }
  }

  /// The values in a body: those of the row, and of an updated one those that it has now.
  static func values(
    in bytes: [UInt8], _ body: Range<Int>, isUpdate: Bool
  ) -> (first: [CellValue?], second: [CellValue?]) {
    bytes.withUnsafeBytes { raw in
      var offset = body.lowerBound
      let count = Int(word(raw, &offset))
      let first = [CellValue?](unsafeUninitializedCapacity: count) { buffer, filled in
        for place in 0..<count {
          buffer.initializeElement(at: place, to: value(raw, &offset))
        }
        filled = count
      }
      guard isUpdate else { return (first, []) }
      var second = first
      for place in 0..<count {
        if let value = value(raw, &offset) { second[place] = value }
      }
      return (first, second)
    }
  }

  /// Stands for text.
  private static let textKind: UInt8 = 3
  /// Stands for a blob.
  private static let blobKind: UInt8 = 4
  /// Stands for a cell as before.
  private static let asBefore: UInt8 = 5

  /// Whether values of a kind are bytes and how many they are.
  static func isOfBytes(_ kind: UInt8) -> Bool { kind == textKind || kind == blobKind }

  mutating func append(_ value: CellValue) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let integer):
      bytes.append(1)
      append(UInt64(bitPattern: integer))
    case .real(let real):
      bytes.append(2)
      append(real.bitPattern)
    case .text(let text):
      bytes.append(Self.textKind)
      append(UInt64(text.count))
      bytes.append(contentsOf: text)
    case .blob(let blob):
      bytes.append(Self.blobKind)
      append(UInt64(blob.count))
      bytes.append(contentsOf: blob)
    }
  }

  mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
  }

  static func word(_ raw: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64 {
    defer { offset += 8 }
    return raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  private static func blob(_ raw: UnsafeRawBufferPointer, _ offset: inout Int) -> [UInt8] {
    let count = Int(word(raw, &offset))
    defer { offset += count }
    return Array(UnsafeRawBufferPointer(rebasing: raw[offset..<offset + count]))
  }

  /// The value at an offset; nil for a cell as before.
  static func value(_ raw: UnsafeRawBufferPointer, _ offset: inout Int) -> CellValue? {
    let kind = raw[offset]
    offset += 1
    switch kind {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: word(raw, &offset)))
    case 2: return .real(Double(bitPattern: word(raw, &offset)))
    case textKind: return .text(blob(raw, &offset))
    case blobKind: return .blob(blob(raw, &offset))
    default: return nil
    }
  }
}
