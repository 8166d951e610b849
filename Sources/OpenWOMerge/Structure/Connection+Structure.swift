package import OpenWOSQLite

extension Connection {
  /// Whether SQLite can read and change the database, whatever is in it.
  ///
  /// To be used inside a read lock, and not beside the log of WAL mode, which has the newest pages.
  package func checkStructure() throws -> Structure {
    let size = try fileSize()
    guard size > 0 else { return Structure(damage: "it is empty") }
    let header: DatabaseHeader
    do {
      header = try self.header()
    } catch  where error.code == .notADatabase {
      return Structure(damage: "it does not begin as a database does")
    }
    guard header.contentSize(inFileOf: size) <= size else {
      return Structure(damage: "it is shorter than its header says")
    }
    guard let source = try ConnectionPageSource(self, isWithoutLog: true) else {
      return Structure(damage: "its header is not that of a database")
    }
    return try Structure.check(source)
  }
}
