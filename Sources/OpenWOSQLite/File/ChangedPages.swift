import OpenWOCSQLite

/// Which pages of a database file were written.
package enum ChangedPages: Sendable, Equatable {
  /// The numbers of the pages, from 1, ascending; pages beyond the present end are left out.
  case pages([UInt32])
  /// Not known: any page may have changed.
  case all

  /// The smallest page size, and the grain of the guard's notes.
  static let unit = Int(OPENWO_CHANGE_UNIT)

  /// Makes page numbers of the guard's notes.
  init(_ changes: openwo_changes, pageSize: Int, fileSize: Int64) {
    guard changes.unknown == 0 else {
      self = .all
      return
    }
    let unitsPerPage = pageSize / Self.unit
    let pageCount = Int(fileSize / Int64(pageSize))
    let words = UnsafeBufferPointer(start: changes.words, count: Int(changes.count))
    var pages: [UInt32] = []
    for index in words.indices where words[index] != 0 {
      var word = words[index]
      while word != 0 {
        let page = (index * 64 + word.trailingZeroBitCount) / unitsPerPage + 1
        word &= word - 1
        if page <= pageCount, pages.last != UInt32(page) { pages.append(UInt32(page)) }
      }
    }
    self = .pages(pages)
  }
}
