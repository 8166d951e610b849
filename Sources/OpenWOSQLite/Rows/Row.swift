public import OpenWOCSQLite

/// The current row of a statement, valid only inside the closure that receives it.
@frozen
public struct Row: ~Copyable {
  @usableFromInline let handle: OpaquePointer
  // Unowned: the lender of the row keeps the statement.
  @usableFromInline unowned(unsafe) let statement: Statement
  /// The number of columns.
  public let count: Int

  @inlinable
  init(_ statement: Statement) {
    self.statement = statement
    self.handle = statement.handle
    self.count = Int(sqlite3_column_count(statement.handle))
  }

  /// The names of the columns, as the statement gives them.
  public var columnNames: [String] { statement.columnNames }

  /// The value of the column with this number, counted from 0.
  @inlinable @inline(__always)
  public func get<T: ColumnDecodable>(_ index: Int, as: T.Type = T.self) throws -> T {
    try T(column: try column(index))
  }

  /// The value of the first column with this name, as the statement spells it.
  @inlinable
  public func get<T: ColumnDecodable>(_ name: String, as: T.Type = T.self) throws -> T {
    try T(column: try column(name))
  }

  /// The column with this number, counted from 0.
  @inlinable @inline(__always)
  public func column(_ index: Int) throws -> Column {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else {
      throw statement.noColumn(index)
    }
    return Column(handle, Int32(truncatingIfNeeded: index))
  }

  /// The first column with this name, as the statement spells it.
  @inlinable
  public func column(_ name: String) throws -> Column {
    Column(handle, Int32(truncatingIfNeeded: try statement.column(named: name)))
  }
}

/// A type that can be made from a row.
public protocol RowDecodable {
  /// Reads the columns it needs.
  init(row: borrowing Row) throws
}

/// A row as a copy of its values.
public struct ValueRow: RowDecodable, Sendable, Hashable {
  /// The names of the columns.
  public let columns: [String]
  /// The values, in the order of the columns.
  public let values: [Value]

  /// Copies all columns.
  public init(row: borrowing Row) throws {
    var values: [Value] = []
    values.reserveCapacity(row.count)
    for index in 0..<row.count { values.append(try row.get(index)) }
    self.columns = row.columnNames
    self.values = values
  }

  /// The value of the column with this number.
  public subscript(index: Int) -> Value { values[index] }

  /// The value of the first column with this name.
  public subscript(name: String) -> Value? {
    columns.firstIndex(of: name).map { values[$0] }
  }
}
