import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import OpenWOShell
import SystemPackage

/// One call of a tool: the database, what was given, and whether it is still wanted.
struct ToolCall {
  let store: AssistantStores.Entry
  let arguments: ToolArguments
  let stop: StopSign
  let progress: ProgressTeller

  /// Who takes the lock for an edit.
  static let program = "openwo mcp"
  /// About how many bytes of rows one result has.
  static let mostBytes = 256 << 10
  /// The default and the largest number of rows, versions or the like in one result.
  static let (usualRows, mostRows) = (100, 1000)

  /// Opens the store without a sync; nothing of it is kept from one call to the next.
  func open() throws -> SyncedDatabase {
    try stop.check()
    return try store.call.open()
  }

  func database() throws -> DatabaseArgument { try store.call.database() }

  /// How many rows or the like are wanted at most.
  func limit() throws -> Int {
    try arguments.count("limit", from: 1, upTo: Self.mostRows) ?? Self.usualRows
  }

  /// The version that has to be live; nil if it was not said.
  func head(in store: SyncedDatabase) throws -> VersionID? {
    try arguments.text("if_head").map { try version($0, in: store) }
  }

  /// The version that a word means.
  func version(_ word: String, in store: SyncedDatabase) throws -> VersionID {
    try store.version(toLookAt: word).id
  }

  /// The state that a word means: the live database, a version, or a conflict copy beside it, and
  /// no other file of this machine.
  func state(_ word: String, in store: SyncedDatabase) throws -> NamedState {
    if word == "live" { return try store.liveState(self) }
    do {
      let id = try version(word, in: store)
      return NamedState(state: .version(id), label: "version \(id.short)")
    } catch let error as StoreError where error.code == .noSuchVersion {
      guard let copy = try copy(word, of: store) else {
        throw StoreError(
          .noSuchVersion,
          "\(error.message), and no conflicted copy is called \(String(printable: word.utf8)); "
            + "nothing was changed",
          hint: "see the versions with history and the copies with conflicts")
      }
      return copy
    }
  }

  private func copy(_ word: String, of store: SyncedDatabase) throws -> NamedState? {
    let waiting = try store.mergeable().map(NamedState.init)
    if let copy = waiting.first(where: { $0.label == word }) { return copy }
    guard try store.conflictedCopies().contains(where: { $0.path == word }) else { return nil }
    let path = store.path.removingLastComponent().appending(word)
    return NamedState(state: .file(path), label: word)
  }
}

extension SyncedDatabase {
  /// The database as it is now.
  func liveState(_ call: ToolCall) throws -> NamedState {
    NamedState(state: .live, label: try call.database().name)
  }
}
