import OpenWOFiles
import OpenWOSQLite

/// Why an edit by SQL statements is refused once they were tried on a private copy.
enum EditRefusal: Hashable {
  /// It would change this many rows, and may change only so many.
  case tooManyRows(Int, allowed: Int)
  /// It would leave a row that points at nothing.
  case breaksReferences(ForeignKeyViolation)

  /// Decides by what the trial found; nil: the edit may be carried out.
  init?(changedRows: Int, allowed: Int, broken: ForeignKeyViolation?) {
    if changedRows > allowed {
      self = .tooManyRows(changedRows, allowed: allowed)
    } else if let broken {
      self = .breaksReferences(broken)
    } else {
      return nil
    }
  }
}

extension StoreError {
  /// The error of a statement of an edit; nil if the statement is not at fault.
  init?(editing error: SQLiteError, statement number: Int? = nil, _ paths: StorePaths) {
    let which = number.map { "statement \($0): " } ?? ""
    let message = "\(which)\(String(printable: error.message.utf8))"
    switch error.code {
    case .interrupt:
      self.init(
        .timeLimit, "\(which)the edit was ended before it was finished; nothing was changed",
        advice: paths.next("change fewer rows at a time; see what is live", .lookAgain))
    case .authorization:
      self.init(
        .usage, "\(message): an edit may only change rows; nothing was changed",
        advice: paths.next("to do more by hand", .editFile))
    case .constraint:
      self.init(
        .usage, "\(message); nothing was changed",
        advice: paths.next("see the rules of the tables", .queryTables))
    case .error, .misuse, .range, .tooBig, .mismatch, .abort:
      self.init(
        .usage, "\(message); nothing was changed",
        advice: paths.next("see the tables and their columns", .queryTables))
    default: return nil
    }
  }

  init(_ refusal: EditRefusal, _ paths: StorePaths) {
    switch refusal {
    case .tooManyRows(let count, let allowed):
      self.init(
        .usage,
        "the edit would change \(count) rows of \(paths.name), and it may change "
          + "\(allowed); nothing was changed",
        advice: paths.next("change fewer, or allow as many; what is live", .lookAgain))
    case .breaksReferences(let broken):
      self.init(
        .brokenReferences,
        "the edit would leave rows of \(String(printable: broken.table.utf8)) pointing at missing "
          + "rows of \(String(printable: broken.parent.utf8)); nothing was changed",
        advice: paths.next("change those rows too; see the tables", .examine))
    }
  }

  static func unsteady(_ paths: StorePaths) -> StoreError {
    StoreError(
      .usage,
      "the statements do not change the same rows twice, so a trial says nothing of them; nothing "
        + "was changed",
      advice: paths.next("name the rows; see them", .query))
  }
}
