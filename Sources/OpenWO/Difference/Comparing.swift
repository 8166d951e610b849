import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Comparing two states of the database, and opening one; changes nothing.
struct Comparing: StoreCommand {
  let store: Store

  /// The report on what turns one state into another.
  func diff(
    from old: DatabaseState, to new: DatabaseState, rows: DifferenceReport.Rows,
    telling: (@Sendable (String) -> Void)?
  ) throws -> DifferenceReport {
    var options = rows.options
    options.telling = telling
    if let found = try archivedDifference(from: resolve(old), to: resolve(new), options) {
      return DifferenceReport(found)
    }
    let found = try comparing(old, new) { [options] old, new in
      return try OpenWOMerge.difference(from: old, to: new, options: options)
    }
    return found.map(DifferenceReport.init) ?? .nothing
  }

  /// Hands out, line by line, a script that turns one state into another; nothing for none.
  func diffScript(
    from old: DatabaseState, to new: DatabaseState, _ write: (String) throws -> Void
  ) throws -> DifferenceReport {
    let found = try comparing(old, new) { old, new in
      try withoutActuallyEscaping(write) { try SQLScript(from: old, to: new, write: $0).run() }
    }
    guard var found else { return .nothing }
    for index in found.tables.indices { found.tables[index].rows = [] }
    return DifferenceReport(found)
  }

  /// Runs a body on two states; nil without opening them when their content is known to be the same.
  private func comparing(
    _ old: DatabaseState, _ new: DatabaseState,
    _ body: (Connection, Connection) throws -> DatabaseDifference
  ) throws -> DatabaseDifference? {
    let (a, b) = (try resolve(old), try resolve(new))
    var copies: [OutsideFile] = []
    defer { for copy in copies { copy.remove() } }
    let first = try prepare(a, &copies)
    let second = try prepare(b, &copies)
    if a == b { return nil }
    if let content = first.content, content == second.content { return nil }
    return try first.use { from in try second.use { to in try body(from, to) } }
  }

  /// Runs a body on a state, opened for reading.
  func opening<Result>(
    _ state: DatabaseState, _ body: (Connection) throws -> Result
  ) throws -> Result {
    var copies: [OutsideFile] = []
    defer { for copy in copies { copy.remove() } }
    return try prepare(resolve(state), &copies).use(body)
  }

  /// A state before it is opened.
  private struct Prepared {
    /// Its content; nil if it is unknown.
    var content: ContentHash?
    let reading: (_ body: (Connection) throws -> Void) throws -> Void

    /// Runs a body on it, opened for reading.
    func use<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      var result: Result?
      try reading { result = try body($0) }
      guard let result else { preconditionFailure("a state was not opened") }
      return result
    }
  }

  /// The live file when a path leads to it: no second descriptor on it may be opened and closed.
  private func resolve(_ state: DatabaseState) throws -> DatabaseState {
    guard case .file(let path) = state else { return state }
    let found = try files.lstat(path).signature
    let live = try workingCopy.signature()
    let isLive = found.inode == live?.inode && found.device == live?.device
    return isLive ? .live : state
  }

  private func prepare(
    _ state: DatabaseState, _ copies: inout [OutsideFile]
  ) throws -> Prepared {
    switch state {
    case .live: return try prepareLive()
    case .version(let id):
      let version = try versions.version(id)
      return try isLive(version) ? prepareLive() : prepared(version)
    case .file(let path):
      let copy = try OutsideFile(path, store)
      copies.append(copy)
      return Prepared(content: copy.content) { body in
        let connection = try copy.open()
        defer { connection.close() }
        try body(connection)
      }
    }
  }

  /// Whether the live file is known to hold a version's content, so that it need not be written out
  /// once more.
  private func isLive(_ version: Version) throws -> Bool {
    guard workingCopy.content == version.content else { return false }
    return try workingCopy.isUntouched() && coordinator.lockInSight() == nil
  }

  private func prepared(_ version: Version) -> Prepared {
    Prepared(content: version.content) { body in
      let connection = try versions.privateCopy(of: version.content)
      defer { connection.close() }
      try body(connection)
    }
  }

  private func prepareLive() throws -> Prepared {
    if let lock = try coordinator.lockInSight(), lock.device != store.device.id {
      guard let version = try versions.lastGood(live: workingCopy.current) else {
        throw coordinator.isLocked(by: lock)
      }
      return prepared(version)
    }
    guard let signature = try workingCopy.signature() else { throw StoreError.missing(paths) }
    let content = workingCopy.isAsRecorded(signature) ? workingCopy.content : nil
    // To SQLite a file without bytes is a database without tables.
    if content == nil, signature.size == 0,
      try versions.lastGood(live: workingCopy.current).map({ $0.bytes > 0 }) ?? false
    {
      throw StoreError.damaged("the file is empty", paths)
    }
    return Prepared(content: content) { body in
      if try !usingLive(body) { try usingLogged(body) }
    }
  }

  /// Runs a body on the live file; false without running it if that is in WAL mode.
  private func usingLive(_ body: (Connection) throws -> Void) throws -> Bool {
    try session.run {
      try session.looking {
        let connection: Connection
        do {
          connection = try workingCopy.open().connection
          // The first read tells which mode it is in.
          try connection.withReadLock {}
        } catch let error as SQLiteError where error.extendedCode == .walRefused {
          return false
        }
        try body(connection)
        return true
      }
    }
  }

  /// Runs a body on a private copy of a database in WAL mode with the rows of its log; the files themselves are only read.
  private func usingLogged(_ body: (Connection) throws -> Void) throws {
    for _ in 0..<Store.attempts {
      guard let copy = try workingCopy.copyWithLog() else { continue }
      let connection = try copy.open()
      return try withExtendedLifetime(copy) {
        defer { connection.close() }
        try body(connection)
      }
    }
    throw StoreError.busy(paths)
  }
}
