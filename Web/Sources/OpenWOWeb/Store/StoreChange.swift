import OpenWOApp
import OpenWOShell
import SystemPackage

/// Carrying out what a person asked for; each change names the version that it was decided on.
extension StoreAnswer {
  /// Does what a request asks for, and says where to look next.
  func change(_ verb: String, _ fields: Fields) -> Reply {
    do {
      let store = try SyncedDatabase(path: file.path.string, configuration: file.configuration)
      switch verb {
      case "sync": return try sync(store)
      case "lock": return try lock(store, fields)
      case "unlock": return try unlock(store, fields)
      case "force": return try force(store, fields)
      case "restore": return try restore(store, fields)
      case "merge": return try merge(store, fields)
      case "pin": return try pin(store, fields)
      default: return site.notFound(voice)
      }
    } catch {
      let failure = Failure(error, voice)
      return Reply(failure.node, status: failure.status, isPiece: true)
    }
  }

  private func sync(_ store: SyncedDatabase) throws -> Reply {
    let report = try store.reconcile()
    if case .unsettled(let error) = report.outcome { throw error }
    return done("sync")
  }

  private func lock(_ store: SyncedDatabase, _ fields: Fields) throws -> Reply {
    try requireHead(store, fields)
    let note = fields["note"].map { String($0.prefix(200)) }
    _ = try store.lock(LockRequest(note: note, outlivesProcess: true, program: "openwo web"))
    return done("lock")
  }

  private func unlock(_ store: SyncedDatabase, _ fields: Fields) throws -> Reply {
    let before = try head(fields)
    let request = UnlockRequest(discard: fields["discard"] == "1", ifHead: before)
    let report = try store.unlock(request)
    let version = report.discarded ?? report.version
    return done(
      request.discard ? "discard" : "unlock", version: version,
      previous: request.discard ? version : before)
  }

  private func force(_ store: SyncedDatabase, _ fields: Fields) throws -> Reply {
    guard let id = fields["lock"] else { throw missing("lock") }
    let report = try store.unlock(UnlockRequest(force: id, ifHead: try head(fields)))
    return done("force", version: report.version)
  }

  private func restore(_ store: SyncedDatabase, _ fields: Fields) throws -> Reply {
    guard let id = fields["version"].flatMap({ VersionID($0) }) else { throw missing("version") }
    let head = try head(fields)
    guard let table = fields["table"] else {
      let report = try store.restore(id, ifHead: head)
      return done(
        fields["undo"] == "1" ? "undo" : "restore", version: report.version,
        previous: report.previous)
    }
    let key = fields.all("key")
    let request = RowsRequest(table: table, key: key.isEmpty ? nil : key)
    let report = try store.restore(request, from: id, ifHead: head)
    return done(
      key.isEmpty ? "restore-table" : "restore-row", version: report.version,
      previous: report.previous, table: table)
  }

  private func merge(_ store: SyncedDatabase, _ fields: Fields) throws -> Reply {
    let source = try MergeChoice.source(fields, store, file)
    var request = MergeRequest(
      rule: fields["rule"].flatMap(MergeRule.init(rawValue:)),
      rules: MergeChoice.rules(fields), ifHead: try head(fields))
    let picks = ConflictPicks(fields)
    if !picks.isEmpty {
      request.dryRun = true
      let plan = try store.merge(source, request)
      request.choices = try picks.choices(of: plan.conflicts, head: "\(try head(fields))")
      request.dryRun = false
    }
    let report = try store.merge(source, request)
    return done(
      "merge", version: report.version, previous: report.previous, theirs: report.theirs)
  }
}

/// The common part of changes.
extension StoreAnswer {
  func head(_ fields: Fields) throws -> VersionID {
    guard let head = fields["head"].flatMap({ VersionID($0) }) else { throw missing("head") }
    return head
  }

  /// Refuses a change that was decided on another version.
  private func requireHead(_ store: SyncedDatabase, _ fields: Fields) throws {
    let expected = try head(fields)
    guard let live = try store.history().first(where: \.isLive), live.version.id != expected else {
      return
    }
    throw StoreError(
      .headMoved, "another version is live than the one that was shown",
      hint: "see it: openwo status")
  }

  func missing(_ name: String) -> StoreError {
    StoreError(.usage, "the request does not say its \(name)", hint: "reload the page")
  }

  private func done(
    _ verb: String, version: VersionID? = nil, previous: VersionID? = nil,
    theirs: VersionID? = nil, table: String? = nil
  ) -> Reply {
    .go(
      file.address(
        query: [
          ("done", verb), ("version", version?.description), ("previous", previous?.description),
          ("theirs", theirs?.description), ("table", table),
        ]))
  }
}
