import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import Testing

@testable import OpenWOMerge

@Suite struct PagedDifferenceTests {
  @Test(arguments: 0..<80)
  func `comparing pages finds what comparing all rows finds`(seed: Int) throws {
    let scratch = try Scratch()
    var maker = RandomDatabase(seed: UInt64(seed))
    let old = try scratch.database()
    let size = maker.random.pick([512, 1024, 4096, 65536])
    try maker.fill(
      old, pageSize: size, encoding: maker.random.pick(["UTF-8", "UTF-8", "UTF-16le"]))
    let new = try scratch.copy(old)
    try maker.edit(new)
    if maker.random.chance(percent: 30) { try maker.edit(old) }
    let other = maker.random.pick([size, size, size, 512, 2048, 8192])
    if other != size { try new.script("PRAGMA page_size=\(other); VACUUM") }
    var options = DifferenceOptions(rows: .all)
    let byPages = try difference(from: old.connection, to: new.connection, options: options)
    options.usesPages = false
    let byRows = try difference(from: old.connection, to: new.connection, options: options)
    #expect(byPages == byRows)
    options.usesPages = true
    if other == size {
      options.differingPages = try pagesThatDiffer(old, new)
      let byKnown = try difference(from: old.connection, to: new.connection, options: options)
      #expect(byKnown == byRows)
    }
    let counted = try difference(from: old.connection, to: new.connection)
    #expect(
      counted.tables.map { [$0.inserted, $0.updated, $0.deleted] }
        == byRows.tables.map { [$0.inserted, $0.updated, $0.deleted] })
    #expect(
      byRows.tables.allSatisfy { $0.rows.count == $0.inserted + $0.updated + $0.deleted })
  }

  @Test(arguments: 0..<20)
  func `a database does not differ from itself, nor from itself vacuumed`(seed: Int) throws {
    let scratch = try Scratch()
    var maker = RandomDatabase(seed: UInt64(1000 + seed))
    let old = try scratch.database()
    try maker.fill(old, pageSize: 4096, encoding: "UTF-8")
    let new = try scratch.copy(old, "PRAGMA page_size=1024; VACUUM")
    #expect(try difference(from: old.connection, to: old.connection).equal)
    #expect(try difference(from: old.connection, to: new.connection).equal)
  }

  /// The pages that are not the same bytes in both files.
  private func pagesThatDiffer(_ old: TestDatabase, _ new: TestDatabase) throws -> PageSet {
    let size = try old.connection.header().pageSize
    let files = try [old, new].map { try Data(contentsOf: URL(fileURLWithPath: $0.path)) }
    let count = (files.map(\.count).max() ?? 0) / size
    var pages = PageSet(pageCount: count)
    for page in 0..<count {
      let range = page * size..<(page + 1) * size
      if files.contains(where: { $0.count < range.upperBound })
        || files[0][range] != files[1][range]
      {
        pages.insert(UInt32(page + 1))
      }
    }
    return pages
  }

  @Test func `a blob rewritten in place is found although its leaf page is unchanged`() throws {
    let scratch = try Scratch()
    let old = try scratch.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB); INSERT INTO t VALUES (1, zeroblob(50000))")
    let new = try scratch.copy(
      old, "UPDATE t SET v = CAST(zeroblob(49999) || x'01' AS BLOB)")
    var options = DifferenceOptions(rows: .counted)
    #expect(
      try difference(from: old.connection, to: new.connection, options: options).tables[0].updated
        == 1)
    options.differingPages = try pagesThatDiffer(old, new)
    #expect(
      try difference(from: old.connection, to: new.connection, options: options).tables[0].updated
        == 1)
  }
}
