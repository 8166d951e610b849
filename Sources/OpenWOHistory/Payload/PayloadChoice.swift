/// Decides what a new version is stored upon.
///
/// Within an hour a version rests on the one before. The first version of an hour, day, week or month rests on the
/// first of the hour, day, week or month before. So those that are kept for long rest on each other, the rest can be
/// pruned without rewriting anything, and chains grow with the calendar rather than with the number of versions.
enum PayloadChoice {
  /// How many versions of one hour rest on each other.
  static let run = 64
  /// The longest chain that is written; longer ones can be read.
  static let chainLimit = 192
  /// A database of fewer pages is never stored in full just because much of it changed.
  static let smallest = 64

  /// The link of a chain on which to base a new version; nil if it should be stored in full.
  ///
  /// - Parameters:
  ///   - chain: The files of the content from which the new one was made, its own file first.
  ///   - at: The stamp of the new version.
  ///   - size: The size of the new content.
  ///   - pageSize: The page size of the new content.
  /// - Returns: The place in the chain.
  static func base(
    in chain: [StoredVersion], at: HybridTime, size: Int64, pageSize: Int
  ) -> Int? {
    guard let parent = chain.first?.version, parent.pageSize == pageSize else { return nil }
    let turned = CalendarUnit.allCases.first { $0.number(of: at) != $0.number(of: parent.at) }
    let unit = turned ?? .hour
    let stretch = unit.number(of: parent.at)
    let together = chain.prefix { unit.number(of: $0.version.at) == stretch }.count
    let place = turned == nil && together < run ? 0 : together - 1
    let rest = chain[place...]
    let weight = rest.dropLast().reduce(0) { $0 + $1.payloadSize }
    return rest.count < chainLimit && weight <= size ? place : nil
  }

  /// Whether more than half of the pages changed, so that a full payload is better.
  static func isMostlyNew(changed: Int, size: Int64, pageSize: Int) -> Bool {
    let pages = PageGrid(pageSize: pageSize).count(size)
    return pages > smallest && changed > pages / 2
  }
}
