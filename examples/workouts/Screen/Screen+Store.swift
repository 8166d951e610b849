import OpenWOApp

/// The store: what happens to it, and the lock.
extension Screen {
  func show(_ state: SyncState, _ language: Language) {
    for row in SyncSection(state, Workouts.profile(path), language).rows {
      line(row.value.map { "\(row.title): \($0)" } ?? row.title)
    }
  }

  func warnLocal(_ reason: LocalReason?) {
    note("the folder cannot be used now; what you log is kept on this device for the next start")
    if case .failed(let error) = reason { complain(error) }
  }

  func tell(_ event: StoreEvent) {
    switch event {
    case .imported(let version, _): line("* another device's version \(version.short) is here")
    case .captured(let version, let reason): line("* captured \(version.short) (\(reason))")
    case .published(let version): line("* published \(version.short)")
    case .settled(let winner, let losers):
      line("* settled: \(winner.short) goes on, \(count(losers.count, "version")) in the history")
    case .joined: line("* two devices had begun apart; the rows of both are here")
    case .locked(let lock): line("* \(holder(of: lock)); reading works, logging waits")
    case .unlocked: line("* unlocked; logging goes on")
    case .repaired(let version, let reason):
      line("* put back as version \(version.short): \(reason)")
    case .problem(let error): line("* problem: \(error.message); \(error.hint)")
    }
  }

  func show(_ report: LockReport) {
    line("locked; edit the database with any program, then: workouts \(path) unlock")
    for device in report.waitingFor { line("  \(device.name) has not answered yet") }
  }

  func show(_ report: UnlockReport) {
    line(report.changes.isEmpty && !report.schemaChanged ? "unlocked; no rows changed" : "unlocked")
    if report.schemaChanged { line("  the tables themselves changed") }
    for change in report.changes {
      line(
        "  \(change.table): \(change.inserted) new, \(change.updated) changed, "
          + "\(change.deleted) gone")
    }
  }
}
