import OpenWOSQLite
import OpenWOTestSupport
import Testing

/// A check that could not read a page says nothing about the file.
struct IntegrityCheckTests {
  @Test func `a page that cannot be read is an error and no damage`() {
    let found = [
      "*** in database main ***\nTree 5 page 7 cell 0: unable to get the page. error code=266"
    ]
    #expect(Connection.failure(ofCheckThatFound: found)?.code == .ioError)
    let list = ["*** in database main ***\nFreelist: failed to get page 9"]
    #expect(Connection.failure(ofCheckThatFound: list)?.code == .ioError)
  }

  @Test func `a damaged page counts as damage`() {
    let found = ["*** in database main ***\nPage 3: unable to get the page. error code=11"]
    #expect(Connection.failure(ofCheckThatFound: found) == nil)
    #expect(Connection.failure(ofCheckThatFound: ["row 2 missing from index i"]) == nil)
  }

  @Test(arguments: [
    "CREATE TABLE g(a); CREATE INDEX i ON g(length(hex(zeroblob(a))))",
    "CREATE TABLE g(a CHECK (length(hex(zeroblob(a))) > 0))",
  ])
  func `content that is costly to check is judged by its structure`(schema: String) throws {
    let scratch = try ScratchFolder()
    let db = try scratch.open()
    defer { db.close() }
    try db.executeScript(
      """
      \(schema);
      INSERT INTO g SELECT 100000 FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]')
      """)
    let all = try db.boundedIntegrityCheck(base: .seconds(600))
    #expect(all == Connection.Checked(problems: [], isComplete: true))
    let some = try db.boundedIntegrityCheck(base: .zero)
    #expect(some == Connection.Checked(problems: [], isComplete: false))
    #expect(try db.integrityCheck() == [])
  }
}
