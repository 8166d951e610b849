/// Conclusions from a given list of differing pages.
struct KnownPages {
  private let differing: PageSet
  private let common: Int

  /// Nil if the list does not allow to trust a leaf by its number alone: an overflow page may have
  /// changed behind it.
  init?(_ differing: PageSet, _ old: any PageSource, _ new: any PageSource) throws {
    common = min(old.pageCount, new.pageCount)
    // An overflow page begins with the number of the next; below this many pages that cannot be taken
    // for the kind of a b-tree page.
    guard old.pageSize == new.pageSize, max(old.pageCount, new.pageCount) < 0x0200_0000 else {
      return nil
    }
    self.differing = differing
    let buffer = PageBuffer(byteCount: old.pageSize)
    for page in differing.pages where page > 1 && Int(page) <= common {
      try old.readPage(page, into: buffer)
      if BTreePage.Kind(rawValue: buffer.readable[0]) != nil { continue }
      try new.readPage(page, into: buffer)
      if BTreePage.Kind(rawValue: buffer.readable[0]) == nil { return nil }
    }
  }

  /// Whether the page, and any overflow page behind it, is the same in both.
  func isUnchanged(_ page: UInt32) -> Bool {
    Int(page) <= common && !differing.contains(page)
  }
}
