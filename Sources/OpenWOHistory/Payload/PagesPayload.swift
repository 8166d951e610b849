/// The payload `pages`: what differs from another content, page by page.
///
/// A head of 28 bytes is followed by units and a byte 0. Fixed numbers have their lowest byte first.
///
/// | bytes | head |
/// |---|---|
/// | 8 | `owpages` and the byte 1 |
/// | 4 | page size |
/// | 8 | size of the old content |
/// | 8 | size of the new content |
///
/// A unit holds pages that make at most ``unitLimit`` bytes: the number of pages; for each page its number less
/// that of the page before (pages count from 1, and on from unit to unit); the number of packed bytes; the packed
/// bytes, a zlib stream of the ``PageDelta`` of each page in turn. These numbers have seven bits a byte, the lowest
/// first. Every page that does not lie wholly in the old content is in the list.
package enum PagesPayload {
  static let magic = Array("owpages".utf8) + [1]
  static let headCount = 28
  /// The most bytes that the pages of a unit make.
  static let unitLimit = 131_072
  /// SQLite's highest page number.
  static let lastPage = 4_294_967_294

  /// The most pages in a unit.
  static func pagesInUnit(_ pageSize: Int) -> Int { unitLimit / pageSize }

  /// The most bytes in an unpacked unit: a page can take three more than it has, for their number.
  static func unpackedLimit(pages: Int, pageSize: Int) -> Int { pages * (pageSize + 3) }
}

extension PagesPayload {
  /// The pages of the new content that are not the same in the old one, found by comparing all bytes.
  package static func changedPages(
    from old: any ContentSource, to new: any ContentSource, pageSize: Int
  ) throws -> [UInt32] {
    let grid = PageGrid(pageSize: pageSize)
    let (ours, theirs) = (PageBuffer(byteCount: 262_144), PageBuffer(byteCount: 262_144))
    var changed: [UInt32] = []
    var offset: Int64 = 0
    while offset < new.size {
      let count = Int(min(Int64(ours.count), new.size - offset))
      let (a, b) = (ours.bytes(count), theirs.bytes(count))
      try new.fill(a, at: offset)
      let known = try old.read(at: offset, into: b)
      let both = UnsafeRawBufferPointer(rebasing: b[..<known])
      if sharedCount(UnsafeRawBufferPointer(a), both) < count {
        for start in stride(from: 0, to: count, by: pageSize) {
          let end = min(start + pageSize, count)
          let page = UnsafeRawBufferPointer(rebasing: a[start..<end])
          let before = UnsafeRawBufferPointer(rebasing: both[min(start, known)..<min(end, known)])
          if sharedCount(page, before) < page.count {
            changed.append(UInt32(grid.count(offset + Int64(end))))
          }
        }
      }
      offset += Int64(count)
    }
    return changed
  }
}

/// Where pages lie in contents of changing size.
struct PageGrid: Hashable {
  let pageSize: Int

  /// How many pages content of this size has, the last perhaps a short one.
  func count(_ size: Int64) -> Int { Int((size + Int64(pageSize) - 1) / Int64(pageSize)) }

  /// The offset of a page.
  func offset(_ page: UInt32) -> Int64 { (Int64(page) - 1) * Int64(pageSize) }

  /// How many bytes of the page lie in content of this size.
  func bytes(of page: UInt32, in size: Int64) -> Int {
    Int(min(max(size - offset(page), 0), Int64(pageSize)))
  }

  /// The pages of the new content that do not lie wholly in the old one.
  func added(from old: Int64, to new: Int64) -> Range<UInt32> {
    guard new > old else { return 1..<1 }
    return UInt32(old / Int64(pageSize)) + 1..<UInt32(count(new)) + 1
  }
}
