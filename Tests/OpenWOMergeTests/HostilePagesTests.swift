import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import Testing

@testable import OpenWOMerge

@Suite struct HostilePagesTests {
  /// Pages in memory, which may say anything.
  private final class Bytes: PageSource {
    let pageSize = 512
    let reservedBytes = 0
    var content: [UInt8]
    var pageCount: Int { content.count / pageSize }

    init(_ content: [UInt8]) { self.content = content }

    func read(pagesFrom first: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
      let start = (first - 1) * pageSize
      guard start >= 0, start + buffer.count <= content.count else {
        throw MalformedPage(page: UInt32(first), reason: .outOfRange)
      }
      content[start..<start + buffer.count].withUnsafeBytes { buffer.copyMemory(from: $0) }
    }
  }

  @Test(arguments: 0..<12)
  func `pages that lie are refused or read, and nothing else happens`(seed: Int) throws {
    let scratch = try Scratch()
    var maker = RandomDatabase(seed: UInt64(seed))
    let database = try scratch.database()
    try maker.fill(database, pageSize: 512, encoding: "UTF-8")
    let schema = try SchemaReader(connection: database.connection).read()
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: database.path)))
    for _ in 0..<12 {
      let source = Bytes(whole)
      for _ in 0..<(1 + maker.random.below(40)) {
        source.content[maker.random.below(whole.count)] = UInt8(maker.random.below(256))
      }
      for table in schema.tables.values {
        do { try readAll(table, source, database, against: Bytes(whole)) } catch {
          #expect(error is MalformedPage)
        }
      }
    }
  }

  private func readAll(
    _ shape: TableShape, _ source: Bytes, _ database: TestDatabase, against other: Bytes
  ) throws {
    let table = try PagedTable(shape, source, database.connection, text: .utf8)
    let twin = try PagedTable(shape, other, database.connection, text: .utf8)
    let pair = TablePair(old: shape, new: shape)
    let header = TableDifference(
      table: shape.name, keyedBy: pair.keyedBy, oldColumns: [], newColumns: [])
    try PagedComparison(table, twin, pair, ChangeCollector(header, .all, visit: nil))
      .run(isUnchanged: nil)
  }

  @Test func `a tree that bites its tail is refused`() throws {
    let source = Bytes([UInt8](repeating: 0, count: 4 * 512))
    for page in 2...3 {
      let start = (page - 1) * 512
      source.content[start] = 5
      source.content[start + 11] = UInt8(page == 2 ? 3 : 2)
    }
    #expect(throws: MalformedPage.self) { try TreeWalk(source, root: 2, isTable: true) }
  }

  @Test func `an overflow chain that never ends is refused`() throws {
    let source = Bytes([UInt8](repeating: 0, count: 4 * 512))
    source.content[512 + 3] = 2
    let chain = OverflowChain(source: source, first: 2, byteCount: 1 << 30)
    #expect(throws: MalformedPage.self) {
      try chain.forEachPage(buffer: PageBuffer(byteCount: 512)) { _, _ in true }
    }
  }
}
