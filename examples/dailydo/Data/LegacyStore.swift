import OpenWOApp

/// The to-dos that the app from before kept with SwiftData; read once, never written.
struct LegacyStore {
  static let file = EarlierDatabase(
    "default.store", tables: ["Z_METADATA", "ZTODOITEM", "ZSETTINGS"])

  private let old: Connection

  init(_ old: Connection) { self.old = old }

  /// Adds the to-dos that are not here yet, and the hour of the day if nobody has set one; gives how many.
  func fillIn(_ db: Connection, at time: String) throws -> Int {
    var count = 0
    for todo in try todos() {
      count += try db.execute(
        """
        INSERT OR IGNORE INTO todo (id, title, isCompleted, completedAt)
        VALUES (?1, ?2, ?3, iif(?3, ?4, NULL))
        """, todo.id, todo.title, todo.isCompleted, time)
    }
    let hour = try old.value("SELECT ZRESETTIME FROM ZSETTINGS ORDER BY Z_PK", as: Int.self)
    let isSet = try db.value("SELECT EXISTS (SELECT 1 FROM settings)", as: Bool.self)
    guard let hour, (1...23).contains(hour), isSet != true else { return count }
    try Settings.update(resetTime: hour, at: time, in: db)
    return count + 1
  }

  private func todos() throws -> [Todo] {
    let columns = try old.rows("SELECT name FROM pragma_table_info('ZTODOITEM')") {
      try $0.get(0) as String
    }
    // A to-do without an id of its own has its number in this very file.
    let id =
      columns.contains("ZID")
      ? CoreDataColumn.uuid("ZID") : "(SELECT Z_UUID FROM Z_METADATA) || '/' || Z_PK"
    return try old.rows(
      "SELECT \(id) AS id, ZTITLE AS title, ZISCOMPLETED AS isCompleted FROM ZTODOITEM ORDER BY Z_PK",
      as: Todo.self)
  }
}
