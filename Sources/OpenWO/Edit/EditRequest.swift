package import OpenWOHistory
package import OpenWOSQLite

/// Statements that change rows, all of them or none.
package struct EditRequest: Sendable {
  /// One statement with the values for its parameters.
  package struct Statement: Sendable {
    package var sql: String
    package var arguments: Arguments

    package init(_ sql: String, _ arguments: Arguments = .none) {
      (self.sql, self.arguments) = (sql, arguments)
    }
  }

  /// The statements, in order.
  package var statements: [Statement]
  /// Why, for everybody who reads the history or meets the lock.
  package var note: String?
  /// The only version that may be live, since this was decided on it; nil for any.
  package var ifHead: VersionID?
  /// The most rows that may differ afterwards; more are refused.
  package var mostRows = 1000
  /// Whether tables, indexes, views and triggers may be made, changed and removed.
  package var allowsLayout = false
  /// How many of the changed rows the report holds.
  package var rows = DifferenceReport.Rows.upTo(100)
  /// How long the statements may take.
  package var timeLimit = Duration.seconds(30)
  /// The program that takes the lock for it.
  package var program: String

  package init(_ statements: [Statement], program: String) {
    (self.statements, self.program) = (statements, program)
  }
}
