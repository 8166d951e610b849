/// Rows written from `Encodable` values.
extension Connection {
  /// Inserts a row with a column for each property of a value; nil is NULL, which SQLite replaces by
  /// the next number in an `INTEGER PRIMARY KEY`.
  ///
  /// - Returns: The row's number, also called its rowid.
  /// - Throws: ``SQLiteError``: with ``ResultCode/mismatch`` for a property that no column can hold,
  ///   with ``ResultCode/constraint`` for a row that the table does not allow.
  @discardableResult
  public func insert(_ record: some Encodable, into table: String) throws -> Int64 {
    let columns = try RowEncoder.columns(of: record)
    let names = columns.map { Self.quoted($0.name) }.joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try execute(
      "INSERT INTO \(Self.quoted(table)) (\(names)) VALUES (\(places))",
      arguments: columns.map(\.value))
    return lastInsertRowID
  }

  /// Writes the properties of a value into the row that has the same key; nil is NULL.
  ///
  /// `key` is the property, and the column, by which the row is found. Columns without a property
  /// stay as they are.
  ///
  /// - Returns: How many rows were changed: 0 if there is no such row.
  /// - Throws: ``SQLiteError``: with ``ResultCode/mismatch`` for a property that no column can hold,
  ///   or if the value has no property besides the key.
  @discardableResult
  public func update(
    _ record: some Encodable, in table: String, by key: String = "id"
  ) throws -> Int {
    let columns = try RowEncoder.columns(of: record)
    let others = columns.filter { $0.name != key }
    guard let own = columns.first(where: { $0.name == key }), !others.isEmpty else {
      throw SQLiteError(.mismatch, "it needs the property \(key) and another one")
    }
    let cells = others.map { "\(Self.quoted($0.name)) = ?" }.joined(separator: ", ")
    return try execute(
      "UPDATE \(Self.quoted(table)) SET \(cells) WHERE \(Self.quoted(key)) = ?",
      arguments: others.map(\.value) + [own.value])
  }
}
