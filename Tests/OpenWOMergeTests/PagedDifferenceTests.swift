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
    if maker.random.chance(30) { try maker.edit(old) }
    var options = DifferenceOptions(rows: .all)
    let byPages = try difference(from: old.connection, to: new.connection, options: options)
    options.usesPages = false
    let byRows = try difference(from: old.connection, to: new.connection, options: options)
    #expect(byPages == byRows)
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
}
