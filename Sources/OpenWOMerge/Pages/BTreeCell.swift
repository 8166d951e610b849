/// A cell that holds a row: its key and where its payload lies.
struct BTreeCell {
  /// The row's rowid; 0 in an index b-tree.
  let rowid: Int64

  /// All bytes of the record, those on overflow pages included.
  let payloadSize: Int

  /// The bytes of the record on the page itself.
  let local: UnsafeRawBufferPointer

  /// The first overflow page, or 0.
  let overflow: UInt32

  /// Reads cell `index` of a leaf, or of an interior page of an index b-tree.
  @inline(__always)
  init(_ page: borrowing BTreePage, _ index: Int) throws {
    var offset = try page.cellOffset(index)
    if !page.isLeaf { offset += 4 }
    guard let size = Varint.read(page.bytes, &offset, end: page.usable), size < 1 << 40 else {
      throw MalformedPage(page: page.number, reason: .payload)
    }
    if page.isTable {
      guard let id = Varint.read(page.bytes, &offset, end: page.usable) else {
        throw MalformedPage(page: page.number, reason: .payload)
      }
      rowid = Int64(bitPattern: id)
    } else {
      rowid = 0
    }
    payloadSize = Int(size)
    let here = Self.localSize(payloadSize, usable: page.usable, isTable: page.isTable)
    let spills = here < payloadSize
    guard offset + here + (spills ? 4 : 0) <= page.usable else {
      throw MalformedPage(page: page.number, reason: .payload)
    }
    local = UnsafeRawBufferPointer(rebasing: page.bytes[offset..<offset + here])
    overflow = spills ? BTreePage.word(page.bytes, offset + here) : 0
    if spills, overflow == 0 { throw MalformedPage(page: page.number, reason: .overflow) }
  }

  /// The largest payload that stays on its page.
  static func largestLocal(usable: Int, isTable: Bool) -> Int {
    isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
  }

  /// How many bytes of a payload lie on the page, https://sqlite.org/fileformat2.html#ovflpgs.
  static func localSize(_ payload: Int, usable: Int, isTable: Bool) -> Int {
    let largest = largestLocal(usable: usable, isTable: isTable)
    if payload <= largest { return payload }
    let least = (usable - 12) * 32 / 255 - 23
    let wanted = least + (payload - least) % (usable - 4)
    return wanted <= largest ? wanted : least
  }
}
