/// A set of page numbers, a bit each.
package struct PageSet: Sendable {
  private var words: [UInt64]

  /// An empty set with room for pages up to `pageCount`.
  package init(pageCount: Int) { words = Array(repeating: 0, count: pageCount / 64 + 1) }

  /// Whether the set holds the page; numbers beyond its room are not in it.
  package func contains(_ page: UInt32) -> Bool {
    let word = Int(page >> 6)
    return word < words.count && words[word] & 1 << (page & 63) != 0
  }

  /// Adds a page; one beyond the room is not added.
  ///
  /// Returns whether it was new.
  @discardableResult
  package mutating func insert(_ page: UInt32) -> Bool {
    let word = Int(page >> 6)
    guard word < words.count, words[word] & 1 << (page & 63) == 0 else { return false }
    words[word] |= 1 << (page & 63)
    return true
  }

  /// Takes a page out.
  mutating func remove(_ page: UInt32) {
    let word = Int(page >> 6)
    if word < words.count { words[word] &= ~(1 << (page & 63)) }
  }

  /// The pages, in ascending order.
  package var pages: [UInt32] {
    var pages: [UInt32] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        pages.append(UInt32(index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return pages
  }

  /// The pages in both sets.
  func intersection(_ other: PageSet) -> PageSet {
    var common = self
    for index in common.words.indices {
      common.words[index] &= index < other.words.count ? other.words[index] : 0
    }
    return common
  }
}
