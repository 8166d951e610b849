import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Edits rows by SQL statements under the lock: all of them or none.
struct Editing: StoreCommand {
  let store: Store
  let request: EditRequest
  let stop: StopSign

  /// After this time the lock ends by itself on other devices, which cannot see that its process is gone.
  private static var lockDuration: Duration { .seconds(120) }

  /// The longest text or blob that a statement may make, unless the database is larger.
  private static var longestValue: Int { 16 << 20 }

  /// How long an edit waits for another one.
  private static var patience: Duration { .seconds(10) }

  /// Runs the statements under the lock, which ends with this call.
  func run() throws -> EditReport {
    let lock = try takeLock()
    defer { giveBack(lock) }
    // Now it has the lock, and does not begin again.
    store.call.beginsAgain = false
    guard let start = try lock.head.flatMap({ try versions.listed().graph[$0] }) else {
      throw StoreError.missing(paths)
    }
    var report = try report(from: start)
    guard !report.difference.equal else { return report }
    try session.alone {
      try store.asWriter { try carryOut(as: report) }
      report.version = try workingCopy.currentVersion()?.id
    }
    // The edit is done; a version that cannot be published now is published at the next look.
    try? publishing.run()
    if let version = report.version {
      let found = try? Comparing(store: store).diff(
        from: .version(start.id), to: .version(version), rows: request.rows, telling: nil)
      report.difference = found ?? report.difference
    }
    return report
  }

  /// Previews the statements; changes nothing.
  func preview() throws -> EditReport {
    let known = try versions.listed().graph
    return try Previewing(store: store).run { found in
      var report = try report(from: found)
      if !known.contains(found.id) { report.previous = nil }
      return report
    }
  }

  /// Takes the lock; waits for a program of this device that has it for a moment, such as another edit.
  private func takeLock() throws -> StoreLock {
    let wanted = LockRequest(
      note: request.note, duration: Self.lockDuration, program: request.program)
    while true {
      try stop.check()
      do {
        return try Locking(store: store, request: wanted).atOnce().lock
      } catch let error as StoreError where error.code == .locked {
        let isBrief = error.lock.map {
          $0.device == store.device.id && $0.program == request.program
        }
        let waited = store.call.waited(for: .briefLock, at: store.clock.monotonic())
        guard isBrief == true, waited < Self.patience.nanoseconds else { throw error }
        session.letGo()
        try session.pause(nanoseconds: 20_000_000)
      }
    }
  }

  /// Ends the lock; what was committed is in a version, and everything else was rolled back.
  private func giveBack(_ lock: StoreLock) {
    session.letGo()
    try? coordinator.giveBack(lock)
    store.lockNews.gaveBack(lock)
  }

  /// Says what the statements change in a version, or refuses them.
  private func report(from start: Version) throws -> EditReport {
    try start.require(request.ifHead, paths)
    let (report, broken) = try attempt(on: start)
    let refusal = EditRefusal(
      changedRows: report.difference.changedRows ?? report.written.reduce(0, +),
      allowed: request.mostRows, broken: broken)
    if let refusal { throw StoreError(refusal, paths) }
    return report
  }

  /// Runs the statements on a private copy of a version; returns what differs, and a row that points at nothing since.
  private func attempt(on start: Version) throws -> (EditReport, broken: ForeignKeyViolation?) {
    let path = store.state.scratch.appending("edit-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(path) }
    try versions.materialize(start.content, to: path, durable: false)
    try stop.check()
    let copy = try Connection(
      path: path, Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    defer { copy.close() }
    var report = EditReport(previous: start.id, written: [], difference: .nothing)
    do {
      try copy.begin(.immediate)
      report.written = try run(in: copy)
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
    guard request.allowsLayout, let broken = try copy.foreignKeyViolations(limit: 1).first,
      try before.foreignKeyViolations(limit: 1).isEmpty
    else { return (report, nil) }
    return (report, broken)
  }

  /// Runs the statements in the open transaction, which they cannot end, and says how many rows each wrote.
  private func run(in connection: Connection) throws -> [Int] {
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
  private func carryOut(as trial: EditReport) throws {
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
      guard try run(in: connection) == trial.written else {
        throw StoreError.unsteady(paths)
      }
    } catch {
      try? connection.rollback()
      throw error
    }
    try WritePath(store: store).commit(transaction, reason: .edit, note: request.note)
  }
}
