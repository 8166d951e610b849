import Corpora
import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// A service writes another state over the file during a write, and the header of that state is the
/// one that the write found.
///
/// Two states that follow from one have the same change counter. Once, pages of the two were mixed
/// and captured as one version.
struct OverwrittenDuringWriteTests {
  private let stencil: Rig
  private let other: FilePath
  private static let count = 2000

  init() throws {
    stencil = try Rig(["mac"])
    try stencil.start(
      """
      CREATE TABLE row(name TEXT PRIMARY KEY, n INT);
      WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < \(Self.count))
        INSERT INTO row SELECT printf('x%.10d', i * 7919 % 100003), i FROM k
      """)
    other = stencil.place.root.appending("other.sqlite")
    try stencil.copy(stencil.database("mac"), other)
    for (path, word, place) in [(stencil.database("mac"), "A", 1), (other, "B", 26)] {
      try stencil.place.sqlite3(
        "UPDATE row SET name = '\(word)' || substr(name, 2) WHERE n % 50 = \(place)", path)
    }
    _ = try stencil.on("mac") { try $0.reconcile() }
    let headers = try [stencil.database("mac"), other].map {
      try Array(stencil.place.bytes($0).prefix(100))
    }
    try #require(headers[0] == headers[1])
  }

  private func overwriting(_ rig: Rig) -> @Sendable () -> Void {
    // Another process: closing the file in this one would drop SQLite's locks.
    { [place = rig.place, other, path = rig.database("mac")] in
      _ = place.run(["cp", other.string, path.string])
    }
  }

  private func expectWholeVersions(_ rig: Rig, _ comment: Comment) throws {
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("mac") { store in
      _ = try store.reconcile()
      for entry in try store.history() {
        let shown = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: shown)
        #expect(try rig.place.sqlite3("PRAGMA integrity_check", shown) == "ok\n", comment)
        let rows = try rig.place.sqlite3("SELECT count(*) FROM row WHERE name <> 'new'", shown)
        #expect(rows == "\(Self.count)\n", comment)
      }
      let shown = try store.read { try $0.integrityCheck() }
      #expect(shown.isEmpty, comment)
    }
  }

  private static let insert = "INSERT INTO row VALUES('new', 0)"

  @Test
  func `a write into a file that was written over since it began is refused and changes nothing`()
    throws
  {
    let rig = try Rig(copying: stencil)
    let store = try rig.open("mac")
    _ = try store.read { try $0.rows("SELECT name FROM row") { try $0.get(0) as String } }
    let error = #expect(throws: StoreError.self) {
      try store.write { db in
        try db.execute(Self.insert)
        overwriting(rig)()
      }
    }
    #expect(error?.code == .unavailable)
    #expect(try rig.place.bytes(rig.database("mac")) == rig.place.bytes(other))
    try store.write { try $0.execute(Self.insert) }
    try store.close()
    try expectWholeVersions(rig, "during the transaction")
  }

  /// Before the first write the times tell of the service, but for the moment between the look at
  /// them and that write.
  @Test func `no version is a mix, whichever write of a commit the service comes before`() throws {
    var (number, refused) = (1, 0)
    while true {
      let rig = try Rig(copying: stencil)
      let store = try rig.open("mac")
      _ = try store.read { try $0.rows("SELECT name FROM row") { try $0.get(0) as String } }
      let ambush = WriteAmbush(
        on: rig.database("mac").string, before: number, overwriting(rig))
      do {
        try store.write { try $0.execute(Self.insert) }
      } catch {
        refused += 1
      }
      try? store.close()
      guard ambush.hasActed else { break }
      try expectWholeVersions(rig, "before write \(number)")
      number += 1
    }
    #expect(number > 2)
    #expect(refused == number - 1)
  }
}
