import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Edits by SQL statements, all of them or none.
extension Store {
  /// After this time the lock ends by itself on other devices, which cannot see that its process is gone.
  private static var lockDuration: Duration { .seconds(120) }

  /// The longest text or blob that a statement may make, unless the database is larger.
  private static var longestValue: Int { 16 << 20 }

  /// How long an edit waits for another one.
  private static var patience: Duration { .seconds(10) }

  /// Runs the statements under the lock, which ends with this call.
  func edit(_ request: EditRequest, _ stop: StopSign) throws -> EditReport {
    let lock = try lockForEdit(request, stop)
    defer { giveUp(lock) }
    // Now it has the lock, and does not begin again.
    call.beginsAgain = false
    guard let start = try lock.head.flatMap({ try versions.listed().graph[$0] }) else {
      throw StoreError.missing(paths)
    }
    try require(request.ifHead, as: start)
    var report = try trying(request, on: start, stop)
    guard !report.difference.equal else { return report }
    try alone {
      try asWriter { try carryOut(request, as: report, stop) }
      report.version = try current()?.id
    }
    // The edit is done; a version that cannot be published now is published at the next look.
    try? publish()
    if let version = report.version {
      let found = try? diff(
        from: .version(start.id), to: .version(version), rows: request.rows, telling: nil)
      report.difference = found ?? report.difference
    }
    return report
  }

  /// Takes the lock; waits for a program of this device that has it for a moment, such as another edit.
  private func lockForEdit(_ request: EditRequest, _ stop: StopSign) throws -> StoreLock {
    let wanted = LockRequest(
      note: request.note, duration: Self.lockDuration, program: request.program)
    while true {
      try stop.check()
      do {
        return try Locking(store: self, request: wanted).atOnce().lock
      } catch let error as StoreError where error.code == .locked {
        let isBrief = error.lock.map { $0.device == device.id && $0.program == request.program }
        let waited = call.waited(for: .briefLock, at: clock.monotonic())
        guard isBrief == true, waited < Self.patience.nanoseconds else { throw error }
        letGo()
        try pause(nanoseconds: 20_000_000)
      }
    }
  }

  /// Previews the statements; changes nothing.
  func previewEdit(_ request: EditRequest, _ stop: StopSign) throws -> EditReport {
    let known = try versions.listed().graph
    return try startingFromFound { found in
      try require(request.ifHead, as: found)
      var report = try trying(request, on: found, stop)
      if !known.contains(found.id) { report.previous = nil }
      return report
    }
  }

  /// Ends the lock; what was committed is in a version, and everything else was rolled back.
  private func giveUp(_ lock: StoreLock) {
    letGo()
    try? giveBack(lock)
    lockNews.gaveBack(lock)
  }

  /// Runs the statements on a private copy of a version and says what differs.
  private func trying(
    _ request: EditRequest, on start: Version, _ stop: StopSign
  ) throws -> EditReport {
    let path = state.scratch.appending("edit-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(path) }
    try versions.materialize(start.content, to: path, durable: false)
    try stop.check()
    let copy = try Connection(
      path: path, Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    defer { copy.close() }
    var report = EditReport(previous: start.id, written: [], difference: .nothing)
    do {
      try copy.begin(.immediate)
      report.written = try run(request, in: copy, stop)
      try copy.commit()
    } catch let error as SQLiteError {
      throw StoreError(editing: error, paths) ?? error
    }
    let before = try versions.privateCopy(of: start.content)
    defer { before.close() }
    report.difference = try stop.watching(before) {
      try stop.watching(copy) {
        DifferenceReport(
          try OpenWOMerge.difference(from: before, to: copy, options: request.rows.options))
      }
    }
    let count = report.difference.changedRows ?? report.written.reduce(0, +)
    guard count <= request.mostRows else {
      throw StoreError.tooManyRows(count, request.mostRows, paths)
    }
    if request.allowsLayout, let broken = try copy.foreignKeyViolations(limit: 1).first,
      try before.foreignKeyViolations(limit: 1).isEmpty
    {
      throw StoreError.wouldBreak(broken, paths)
    }
    return report
  }

  /// Runs the statements in the open transaction, which they cannot end, and says how many rows each wrote.
  private func run(
    _ request: EditRequest, in connection: Connection, _ stop: StopSign
  ) throws -> [Int] {
    let deadline = ContinuousClock.now + request.timeLimit
    do {
      return try connection.lendingTransaction {
        try stop.watching(connection) {
          try request.statements.enumerated().map { index, statement in
            do {
              return try connection.change(
                statement.sql, statement.arguments, allowsLayout: request.allowsLayout,
                timeLimit: max(.zero, deadline - .now), lengthLimit: Self.longestValue)
            } catch let error as SQLiteError {
              throw StoreError(
                editing: error, statement: request.statements.count > 1 ? index + 1 : nil, paths)
                ?? error
            }
          }
        }
      }
    } catch is TransactionEnded {
      throw StoreError.endedInside(paths)
    }
  }

  /// Runs the statements on the live file, which no other process of this machine has open, and
  /// captures the result.
  private func carryOut(_ request: EditRequest, as trial: EditReport, _ stop: StopSign) throws {
    let live = try workingCopy.open()
    let connection = live.connection
    try workingCopy.prepareMark()
    try connection.begin(.immediate)
    let transaction: Transaction
    do {
      transaction = Transaction(connection: connection, header: try connection.watchWrites())
      // A program that asks for no lock may have written since the lock began.
      guard try live.isUntouched(), workingCopy.recognises(live) else { throw StaleLook() }
      _ = try connection.takeChangedPages()
    } catch {
      try? connection.rollback()
      throw error
    }
    do {
      guard try run(request, in: connection, stop) == trial.written else {
        throw StoreError.unsteady(paths)
      }
    } catch {
      try? connection.rollback()
      throw error
    }
    try commit(transaction, reason: .edit, note: request.note)
  }
}

extension StoreError {
  /// The error of a statement of an edit; nil if the statement is not at fault.
  fileprivate init?(editing error: SQLiteError, statement number: Int? = nil, _ paths: StorePaths) {
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

  fileprivate static func tooManyRows(
    _ count: Int, _ limit: Int, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .usage,
      "the edit would change \(count) rows of \(paths.name), and it may change "
        + "\(limit); nothing was changed",
      advice: paths.next("change fewer, or allow as many; what is live", .lookAgain))
  }

  fileprivate static func unsteady(_ paths: StorePaths) -> StoreError {
    StoreError(
      .usage,
      "the statements do not change the same rows twice, so a trial says nothing of them; nothing "
        + "was changed",
      advice: paths.next("name the rows; see them", .query))
  }

  fileprivate static func wouldBreak(
    _ broken: ForeignKeyViolation, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .brokenReferences,
      "the edit would leave rows of \(String(printable: broken.table.utf8)) pointing at missing "
        + "rows of \(String(printable: broken.parent.utf8)); nothing was changed",
      advice: paths.next("change those rows too; see the tables", .examine))
  }
}
