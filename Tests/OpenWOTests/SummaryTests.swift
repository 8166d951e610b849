import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// The changes of each version, as `history` lists them.
struct SummaryTests {
  private typealias Counts = [String: [Int]]

  /// A store with a version for each of these texts, whose versions a body looks at.
  private func store(
    _ statements: String..., body: (Place, SyncedDatabase, [VersionID]) throws -> Void
  ) throws {
    let place = try Place()
    try place.makeDatabase(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE u(v); INSERT INTO t VALUES(1, 1)")
    _ = try place.initialize()
    // Closed after each, so that none takes the place of the one before.
    for sql in statements {
      let store = try SyncedDatabase(
        path: place.database.string, configuration: place.configuration())
      try store.write { db in
        for part in sql.split(separator: ";") { try db.execute(String(part)) }
      }
      try store.close()
    }
    let store = try SyncedDatabase(
      path: place.database.string, configuration: place.configuration())
    try body(place, store, store.history().map(\.version.id))
    try store.close()
  }

  private func counts(_ summary: VersionSummary?) -> Counts? {
    guard case .counted(_, let changes, _) = summary else { return nil }
    return Dictionary(
      changes.map { ($0.table, [$0.inserted, $0.updated, $0.deleted]) },
      uniquingKeysWith: { first, _ in first })
  }

  private func cache(_ place: Place) throws -> FilePath {
    let stores = place.root.appending("state-phone").appending("stores")
    let name = try #require(try FileSystem().list(stores).first)
    return stores.appending(name).appending("summaries.json")
  }

  @Test func `rows are counted against the version before, and schema changes are reported`() throws
  {
    try store(
      "INSERT INTO t VALUES(2, 2), (3, 3); INSERT INTO u VALUES(1)",
      "UPDATE t SET v = 9 WHERE id = 1; DELETE FROM t WHERE id = 2", "CREATE TABLE w(x)"
    ) { _, store, ids in
      let found = try store.summaries(of: ids)
      #expect(counts(found[ids[2]]) == ["t": [2, 0, 0], "u": [1, 0, 0]])
      #expect(counts(found[ids[1]]) == ["t": [0, 1, 1]])
      guard case .counted(let since, _, let schemaChanged) = found[ids[0]] else {
        Issue.record("\(String(describing: found[ids[0]]))")
        return
      }
      #expect(since == ids[1] && schemaChanged)
      #expect(found[ids[3]] == .first)
    }
  }

  @Test func `one call counts a limited number of versions, and the next calls count the rest`()
    throws
  {
    try store(
      "INSERT INTO t VALUES(2, 2)", "INSERT INTO t VALUES(3, 3)", "INSERT INTO t VALUES(4, 4)"
    ) { _, store, ids in
      for counted in 1...3 {
        let found = try store.core.with {
          try VersionSummaries(store: $0).count(ids, within: SummaryBudget(count: 1))
        }
        #expect(ids.filter { counts(found[$0]) != nil } == Array(ids.prefix(counted)))
        #expect(ids.filter { found[$0] == .notYet } == Array(ids[..<3].dropFirst(counted)))
      }
    }
  }

  @Test func `too many changes for a listing are reported, and too many for one call are left`()
    throws
  {
    try store("INSERT INTO t VALUES(2, zeroblob(40000))", "INSERT INTO t VALUES(3, 3)") {
      _, store, ids in
      let found = try store.core.with {
        try VersionSummaries(store: $0).count(ids, within: SummaryBudget(most: 30_000))
      }
      #expect(counts(found[ids[0]]) == ["t": [1, 0, 0]])
      #expect(found[ids[1]] == .tooLarge)
      let none = try store.core.with {
        try VersionSummaries(store: $0).count([ids[0]], within: SummaryBudget(count: 0, bytes: 0))
      }
      #expect(none[ids[0]] == found[ids[0]])
    }
  }

  @Test(arguments: ["gone", "damaged", "of another kind", "in the way"])
  func `counted changes are only a convenience`(state: String) throws {
    try store("INSERT INTO t VALUES(2, 2)") { place, store, ids in
      let found = try store.summaries(of: ids)
      let path = try cache(place)
      let before = try place.bytes(path)
      try FileSystem().unlink(path)
      switch state {
      case "damaged": try AtomicFile.write(Array("{".utf8), to: path, fileSystem: FileSystem())
      case "of another kind":
        try AtomicFile.write(
          Array(#"{"versions": {"x": 1}}"#.utf8), to: path, fileSystem: FileSystem())
      case "in the way": try FileSystem().makeDirectories(path)
      default: break
      }
      #expect(try store.summaries(of: ids) == found)
      if state != "in the way" { #expect(try place.bytes(path) == before) }
    }
  }

  @Test func `a budget covers one version and all together`() {
    var budget = SummaryBudget(count: 2, bytes: 100, most: 60)
    #expect(budget.take(61) == .tooLarge)
    #expect(budget.take(60) == .yes)
    #expect(budget.take(41) == .notYet)
    #expect(budget.take(40) == .yes)
    #expect(budget.takeOne() && budget.takeOne() && !budget.takeOne())
  }
}
