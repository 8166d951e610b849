import OpenWOSQLite
import SystemPackage

@testable import OpenWOMerge

/// An open database and its path.
final class TestDatabase {
  let path: String
  let connection: Connection

  init(_ path: String) throws {
    self.path = path
    connection = try Connection(
      path: FilePath(path), Connection.Options(mode: .create, guardPolicy: .privateCopy))
    try connection.executeScript("PRAGMA synchronous=OFF")
  }

  func script(_ sql: String) throws {
    if !sql.isEmpty { try connection.executeScript(sql) }
  }

  func run(_ sql: String, _ arguments: CellValue...) throws {
    try connection.run(sql, arguments)
  }

  func cells(_ sql: String) throws -> [[CellValue]] { try connection.cells(sql) }
}
