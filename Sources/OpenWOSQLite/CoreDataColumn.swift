/// SQL for the columns of a file that Core Data or SwiftData has made.
public enum CoreDataColumn {
  /// An expression that gives the dates of a column, which are seconds since 2001, such as `2026-11-21T14:02:00Z`.
  public static func moment(_ column: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%SZ', \(column) + 978307200, 'unixepoch')"
  }

  /// An expression that gives the UUIDs of a column, which are 16 bytes, as text; what is text already stays so.
  public static func uuid(_ column: String) -> String {
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { begin, length in
      "substr(hex(\(column)), \(begin), \(length))"
    }
    return "iif(typeof(\(column)) = 'blob', \(parts.joined(separator: " || '-' || ")), \(column))"
  }
}
