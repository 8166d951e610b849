/// Updated rows as bytes, one after the other.
struct RowBytes {
  var bytes: [UInt8] = []

  /// Adds a row: of the new one only the cells that differ.
  mutating func append(_ number: Int64, _ old: [CellValue], _ new: [CellValue]) {
    append(UInt64(bitPattern: number))
    append(UInt64(old.count))
    for value in old { append(value) }
    for (before, after) in zip(old, new) {
      if before == after { bytes.append(5) } else { append(after) }
    }
  }

  /// Reads the row at an offset, which is then that of the next one.
  func read(_ offset: inout Int) -> SideChange {
    bytes.withUnsafeBytes { raw in
      let number = Int64(bitPattern: Self.word(raw, &offset))
      let count = Int(Self.word(raw, &offset))
      var old: [CellValue?] = []
      old.reserveCapacity(count)
      for _ in 0..<count { old.append(Self.value(raw, &offset)) }
      var new = old
      for place in 0..<count {
        if let value = Self.value(raw, &offset) { new[place] = value }
      }
      return SideChange(
        base: MergeRow(rowid: number, cells: old), row: MergeRow(rowid: number, cells: new))
    }
  }

  private mutating func append(_ value: CellValue) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let integer):
      bytes.append(1)
      append(UInt64(bitPattern: integer))
    case .real(let real):
      bytes.append(2)
      append(real.bitPattern)
    case .text(let text):
      bytes.append(3)
      append(UInt64(text.count))
      bytes.append(contentsOf: text)
    case .blob(let blob):
      bytes.append(4)
      append(UInt64(blob.count))
      bytes.append(contentsOf: blob)
    }
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
  }

  private static func word(_ raw: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64 {
    defer { offset += 8 }
    return raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  private static func blob(_ raw: UnsafeRawBufferPointer, _ offset: inout Int) -> [UInt8] {
    let count = Int(word(raw, &offset))
    defer { offset += count }
    return Array(UnsafeRawBufferPointer(rebasing: raw[offset..<offset + count]))
  }

  /// The value at an offset; nil for a cell as before.
  private static func value(_ raw: UnsafeRawBufferPointer, _ offset: inout Int) -> CellValue? {
    let kind = raw[offset]
    offset += 1
    switch kind {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: word(raw, &offset)))
    case 2: return .real(Double(bitPattern: word(raw, &offset)))
    case 3: return .text(blob(raw, &offset))
    case 4: return .blob(blob(raw, &offset))
    default: return nil
    }
  }
}
