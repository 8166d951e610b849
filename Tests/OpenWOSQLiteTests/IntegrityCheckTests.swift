import OpenWOSQLite
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

  @Test func `a page that is damaged is damage`() {
    let found = ["*** in database main ***\nPage 3: unable to get the page. error code=11"]
    #expect(Connection.failure(ofCheckThatFound: found) == nil)
    #expect(Connection.failure(ofCheckThatFound: ["row 2 missing from index i"]) == nil)
  }
}
