import OpenWOHistory
import OpenWOSQLite

/// What found files were made from, if that came after them.
///
/// A service may bring a file before its version. If a program writes into the file before that
/// comes, the file is captured as a child of an older version. Rows that both the late version and the file
/// have would then count as new on both sides of a merge.
struct LateOrigins {
  let store: Store
  /// More files than are found before a version comes.
  private static var mostFound: Int { 4 }
  /// More versions than a service brings after a file.
  private static var mostTried: Int { 8 }

  /// The lineage of two versions, in which found ones on one side also come from the newest ones of the other side that they carry.
  ///
  /// All of the late version's own changes are in such a file, and none of them is undone there.
  func lineage(of ours: Version, _ theirs: Version?) throws -> Lineage {
    let listing = try store.versions.listed()
    let plain = Lineage(listing.graph)
    guard let theirs else { return plain }
    let lines = [ours, theirs].map { plain.line(of: [$0.id]) }
    let apart = [lines[0].subtracting(lines[1]), lines[1].subtracting(lines[0])]
      .map { side in listing.graph.versions.filter { side.contains($0.id) && $0.reason != .settle }
      }
    var lineage = plain
    for (side, other) in [(apart[0], apart[1]), (apart[1], apart[0])] {
      let late = other.sorted { $1.loses(to: $0) }.prefix(Self.mostTried)
      for found in side.filter(\.isDelivered).sorted(by: { $0.loses(to: $1) }).prefix(
        Self.mostFound)
      where listing.archive.holds(found.content) {
        if let origin = try origin(of: found, among: late) {
          lineage = lineage.following(found, from: origin)
        }
      }
    }
    return lineage
  }

  /// The first of some versions that a found one carries.
  private func origin(
    of found: Version, among late: some Sequence<Version>
  ) throws -> Version? {
    let connection = try store.versions.privateCopy(of: found.content)
    defer { connection.close() }
    let rows = Origin(store: store)
    do {
      return try late.first { try rows.isConfirmed($0.id, by: connection) }
    } catch let error as SQLiteError where !error.isPassing {
      // Rows that cannot be compared prove nothing.
      return nil
    }
  }
}
