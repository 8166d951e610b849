/// A b-tree page seen through its header, https://sqlite.org/fileformat2.html#b_tree_pages.
struct BTreePage {
  enum Kind: UInt8 {
    case interiorIndex = 2
    case interiorTable = 5
    case leafIndex = 10
    case leafTable = 13

    var isLeaf: Bool { self == .leafIndex || self == .leafTable }
    var isTable: Bool { self == .interiorTable || self == .leafTable }
  }

  let number: UInt32
  let bytes: UnsafeRawBufferPointer
  let usable: Int
  let kind: Kind
  let isLeaf: Bool
  let isTable: Bool
  let cellCount: Int
  private let cellPointers: Int

  /// Looks at `bytes`, a whole page; `usable` are its bytes without the reserved ones at the end.
  init(number: UInt32, bytes: UnsafeRawBufferPointer, usable: Int) throws {
    let start = number == 1 ? 100 : 0
    guard usable <= bytes.count, usable >= 480, let kind = Kind(rawValue: bytes[start]) else {
      throw MalformedPage(page: number, reason: .kind)
    }
    let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    let pointers = start + (kind.isLeaf ? 8 : 12)
    guard pointers + 2 * count <= usable else {
      throw MalformedPage(page: number, reason: .cellPointer)
    }
    self.number = number
    self.bytes = bytes
    self.usable = usable
    self.kind = kind
    isLeaf = kind.isLeaf
    isTable = kind.isTable
    cellCount = count
    cellPointers = pointers
  }

  /// The child right of all cells; interior pages only.
  var rightChild: UInt32 { Self.word(bytes, cellPointers - 4) }

  /// Where cell `index` (below `cellCount`) begins.
  @inline(__always)
  func cellOffset(_ index: Int) throws -> Int {
    let at = cellPointers + 2 * index
    let offset = Int(bytes[at]) << 8 | Int(bytes[at + 1])
    guard offset >= cellPointers + 2 * cellCount, offset + 4 <= usable else {
      throw MalformedPage(page: number, reason: .cellPointer)
    }
    return offset
  }

  /// The child left of cell `index`; interior pages only.
  func leftChild(_ index: Int) throws -> UInt32 { Self.word(bytes, try cellOffset(index)) }

  static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
  }
}
