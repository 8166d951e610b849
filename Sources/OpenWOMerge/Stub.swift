package import OpenWOSQLite
package struct DatabaseDifference { package var schemaChanges: [String] = []; package var tables: [TableDifference] = [] }
package struct TableDifference { package var table = ""; package var inserted = 0; package var updated = 0; package var deleted = 0 }
package func difference(from: Connection, to: Connection) throws -> DatabaseDifference { DatabaseDifference() }
