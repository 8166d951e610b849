public import OpenWOSQLite

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: Bindable, ColumnDecodable {
  /// Binds RFC 3339 text in UTC with milliseconds, such as `2026-11-21T18:04:00.000Z`.
  ///
  /// Such texts sort as the dates do, and SQLite's own date functions read them
  /// (<https://sqlite.org/lang_datefunc.html>). The date is rounded to the nearest millisecond.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/range`` for a date outside the years 0 to 9999.
  public func bind(to parameter: Parameter) throws {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    guard let whole = Int64(exactly: milliseconds), let text = MomentText.text(whole) else {
      throw SQLiteError(.range, "a date outside the years 0 to 9999 cannot be stored")
    }
    try text.bind(to: parameter)
  }

  /// Reads text with a date and a time of day to the second or finer.
  ///
  /// `T` or a space is between the two, and `Z`, an offset such as `+09:00`, or nothing is at the
  /// end: without it the text is in UTC, as `CURRENT_TIMESTAMP` writes it. Digits after the
  /// millisecond are dropped.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/mismatch`` for other text and for numbers, which may
  ///   count from several years.
  public init(column: borrowing Column) throws {
    self = try column.decode(String.self, "a date such as 2026-11-21T18:04:00.000Z") {
      MomentText.milliseconds($0).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
  }
}

extension UUID: Bindable, ColumnDecodable {
  /// Binds text in upper case, such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public func bind(to parameter: Parameter) throws {
    try uuidString.bind(to: parameter)
  }

  /// Reads text of 36 characters in upper or lower case.
  ///
  /// SQL compares texts by their case: a query finds only what is stored in upper case.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/mismatch`` for anything else.
  public init(column: borrowing Column) throws {
    self = try column.decode(String.self, "a UUID") { UUID(uuidString: $0) }
  }
}

extension Data: Bindable, ColumnDecodable {
  /// Binds a blob; no bytes are an empty blob, not NULL.
  public func bind(to parameter: Parameter) throws {
    let bound: Void? = try withContiguousStorageIfAvailable { try parameter.bind(blob: $0) }
    if bound == nil { try Array(self).bind(to: parameter) }
  }

  /// Reads a blob.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/mismatch`` for anything else, text too.
  public init(column: borrowing Column) throws {
    self = try column.decode([UInt8].self, "a blob") { Data($0) }
  }
}

extension URL: Bindable, ColumnDecodable {
  /// Binds the absolute text, such as `https://example.org/a%20b`.
  public func bind(to parameter: Parameter) throws {
    try absoluteString.bind(to: parameter)
  }

  /// Reads text, which stays as it is.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/mismatch`` for text that is not a URL, such as one with
  ///   spaces, and for anything else.
  public init(column: borrowing Column) throws {
    self = try column.decode(String.self, "a URL") {
      URL(string: $0, encodingInvalidCharacters: false)
    }
  }
}
