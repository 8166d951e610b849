import OpenWOSQLite

extension ChangedPages {
  /// Whether every page that differs between two contents is named.
  func covers(_ new: [UInt8], since old: [UInt8], pageSize: Int) -> Bool {
    guard case .pages(let pages) = self else { return true }
    return Self.differing(new, old, pageSize: pageSize).isSubset(of: pages)
  }

  /// The numbers of the pages in `new` that `old` has not, or not so.
  static func differing(_ new: [UInt8], _ old: [UInt8], pageSize: Int) -> Set<UInt32> {
    let numbers = (0..<new.count / pageSize).filter { page in
      let range = page * pageSize..<(page + 1) * pageSize
      return range.upperBound > old.count || new[range] != old[range]
    }
    return Set(numbers.map { UInt32($0 + 1) })
  }
}
