import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Keeping the rows that two stores had in common when they began apart, for their first merge.
struct CommonRowsKeeping: StorePart {
  let store: Store

  /// The rows that are equal in the first versions of two sides, in a private file that the caller
  /// removes.
  ///
  /// Nil if the sides are not known to have begun apart.
  func run(
    _ ones: [Version], _ others: [Version], _ listing: VersionListing
  ) throws -> RowMerge.CommonGround? {
    let lineage = Lineage(listing.graph)
    let beginnings = Beginnings(listing.graph).versions
    let found = [ones, others].compactMap { side in
      let line = lineage.line(of: side.map(\.id))
      return beginnings.first { line.contains($0.id) }
    }
    guard found.count == 2, found[0] != found[1] else { return nil }
    guard found.allSatisfy({ listing.archive.holds($0.content) }) else {
      return RowMerge.CommonGround(versions: found, file: nil)
    }
    // The same one on every device.
    let (first, second) = found[0].loses(to: found[1]) ? (found[0], found[1]) : (found[1], found[0])
    let path = state.scratch.appending("common-\(randomHex(bytes: 8)).sqlite")
    do {
      try versions.materialize(first.content, to: path, durable: false)
      if first.content != second.content {
        let other = try versions.privateCopy(of: second.content)
        defer { other.close() }
        let copy = try Connection(path: path, .ofScratch)
        defer { copy.close() }
        try CommonRows(in: copy, and: other).keep()
      }
    } catch {
      try? files.unlink(path)
      throw error
    }
    return RowMerge.CommonGround(versions: [first, second], file: path)
  }
}
