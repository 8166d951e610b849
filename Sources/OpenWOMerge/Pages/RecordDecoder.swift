/// Reads SQLite's record format, https://sqlite.org/fileformat2.html#record_format.
///
/// One decoder is used for many records, so that looking at a row allocates nothing.
struct RecordDecoder {
  let text: StoredText
  private var types: [UInt64] = []
  private var offsets: [Int] = []
  private var payload = UnsafeRawBufferPointer(start: nil, count: 0)
  private var page: UInt32 = 0

  init(text: StoredText) { self.text = text }

  /// Values in the record; may be fewer than the table has columns (after ADD COLUMN).
  var count: Int { types.count }

  /// Reads the header.
  ///
  /// `payload` must stay valid while values are taken out.
  mutating func open(_ payload: UnsafeRawBufferPointer, page: UInt32) throws {
    self.payload = payload
    self.page = page
    types.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    var at = 0
    guard let size = Varint.read(payload, &at, end: payload.count), size >= UInt64(at),
      size <= UInt64(payload.count)
    else { throw MalformedPage(page: page, reason: .header) }
    var body = Int(size)
    while at < Int(size) {
      guard let type = Varint.read(payload, &at, end: Int(size)) else {
        throw MalformedPage(page: page, reason: .header)
      }
      guard let length = Self.length(ofType: type), length <= payload.count - body else {
        throw MalformedPage(page: page, reason: .serialType)
      }
      types.append(type)
      offsets.append(body)
      body += length
    }
  }

  /// Value `index`, below `count`.
  func value(at index: Int) -> CellValue {
    let type = types[index]
    let at = offsets[index]
    switch type {
    case 1...6: return .integer(integer(at, length: Self.integerLengths[Int(type)]))
    case 7:
      let real = Double(bitPattern: UInt64(bitPattern: integer(at, length: 8)))
      return real.isNaN ? .null : .real(real)
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      let length = Int((type - 12) / 2)
      let bytes = UnsafeRawBufferPointer(rebasing: payload[at..<at + length])
      return type & 1 == 0 ? .blob(Array(bytes)) : .text(text.decode(bytes))
    default: return .null
    }
  }

  private func integer(_ at: Int, length: Int) -> Int64 {
    var value = Int64(Int8(bitPattern: payload[at]))
    for offset in 1..<max(1, length) { value = value << 8 | Int64(payload[at + offset]) }
    return value
  }

  private static let integerLengths = [0, 1, 2, 3, 4, 6, 8]

  private static func length(ofType type: UInt64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...6: integerLengths[Int(type)]
    case 7: 8
    case 10, 11: nil
    default: type < 1 << 41 ? Int((type - 12) / 2) : nil
    }
  }
}
