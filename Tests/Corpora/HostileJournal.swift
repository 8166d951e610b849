/// A journal as somebody else could have written it.
///
/// See <https://sqlite.org/fileformat2.html#the_rollback_journal>.
package struct HostileJournal {
  /// The first bytes of every journal.
  package static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// The pages as they were before the transaction.
  package var pages: [(number: UInt32, content: [UInt8])] = []
  /// How many pages the journal says the database had.
  package var pageCount: UInt32 = 2
  /// The size of a page in bytes.
  package var pageSize = 4096
  /// The file that a multi-file transaction is decided by, and that is deleted after playback.
  package var superJournal: String?

  /// A journal of one segment.
  package init(
    pages: [(number: UInt32, content: [UInt8])] = [], pageCount: UInt32 = 2, pageSize: Int = 4096
  ) {
    (self.pages, self.pageCount, self.pageSize) = (pages, pageCount, pageSize)
  }

  /// The journal as a file.
  package var bytes: [UInt8] {
    let sector = 512
    var bytes = Self.magic
    for number in [UInt32(pages.count), 7, pageCount, UInt32(sector), UInt32(pageSize)] {
      bytes += Self.number(number)
    }
    bytes += [UInt8](repeating: 0, count: sector - bytes.count)
    for page in pages {
      let checksum = stride(from: pageSize - 200, to: 0, by: -200)
        .reduce(UInt32(7)) { $0 &+ UInt32(page.content[$1]) }
      bytes += Self.number(page.number) + page.content + Self.number(checksum)
    }
    if let superJournal {
      let name = Array(superJournal.utf8)
      let checksum = name.reduce(UInt32(0)) {
        $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1)))
      }
      bytes += Self.number(UInt32(0x4000_0000 / pageSize + 1)) + name
      bytes += Self.number(UInt32(name.count)) + Self.number(checksum) + Self.magic
    }
    return bytes
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
