/// An app's own form of its data: a query, and what a file of it is called.
public struct AppExport: Sendable, Hashable, Codable {
  /// The beginning of a file's name, such as `trainlog_export`; the time and `.json` follow.
  public var fileName: String
  /// A query with one column of text; each row is a line of the file.
  public var query: String

  /// Makes a form of its parts.
  public init(fileName: String, query: String) {
    (self.fileName, self.query) = (fileName, query)
  }
}
