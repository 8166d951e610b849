/// SQL expressions for the columns of a file made by Core Data or SwiftData.
public enum CoreDataColumn {
  /// An expression that converts a column's dates, which are seconds since 2001, to text such as
  /// `2026-11-21T14:02:00Z`.
  public static func moment(_ column: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%SZ', \(column) + 978307200, 'unixepoch')"
  }

  /// An expression that converts a column's UUIDs, which are 16 bytes, to text; values that are
  /// text stay.
  public static func uuid(_ column: String) -> String {
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { begin, length in
      "substr(hex(\(column)), \(begin), \(length))"
    }
    return "iif(typeof(\(column)) = 'blob', \(parts.joined(separator: " || '-' || ")), \(column))"
  }
}
