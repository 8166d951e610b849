import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The file in the synced folder.
extension Attaching {
  /// Opens the file in the synced folder, and makes it when the folder is empty: of this device's data if it has some.
  ///
  /// - Throws: Why it cannot be used now; nothing was made or changed then.
  mutating func openSynced(_ path: FilePath) throws -> SyncedDatabase {
    if let found = SyncedDatabase.storeID(at: path, files) {
      try followStore(to: found, at: path)
      if record.current != found { try keepApart(from: found) }
    } else {
      try begin(path)
    }
    let store = try SyncedDatabase(at: path, configuration: configuration)
    try note {
      $0.current = store.storeID
      $0.beginning = nil
    }
    return store
  }

  /// Tries whether a new start could open the file in the folder, or make it; nothing of this device is
  /// moved.
  ///
  /// - Throws: Why it cannot be used now.
  func trySynced(_ path: FilePath, syncing: Bool) throws {
    guard SyncedDatabase.storeID(at: path, files) != nil else {
      guard record.current == nil else { throw isAway(path) }
      guard try !exists(path) else { throw withoutVersions(path) }
      return try SyncedDatabase.checkInitialize(
        at: path, create: true, configuration: configuration)
    }
    if syncing {
      var configuration = configuration
      (configuration.monitors, configuration.migrations) = (false, nil)
      // Opening it tells what is still in the way.
      let store = try SyncedDatabase(at: path, configuration: configuration)
      _ = try? store.reconcile()
      try store.close()
    }
    try quietly(path) { _ in }
  }

  /// Takes over the new id of a store that was joined with another one of the same folder.
  private mutating func followStore(to found: String, at path: FilePath) throws {
    let ids = record.known.subtracting([found])
    let former = try ids.filter {
      try SyncedDatabase.isOneStore($0, with: found, at: path, configuration)
    }
    guard !former.isEmpty else { return }
    try note { $0.rename(former, to: found) }
  }

  /// Makes the store in a folder that has none.
  private mutating func begin(_ path: FilePath) throws {
    guard record.current == nil else { throw isAway(path) }
    try files.makeDirectories(path.removingLastComponent(), mode: 0o755)
    if try exists(path) {
      try finishBeginning(path)
    } else if try exists(local) {
      try copyLocal(to: path)
    } else {
      _ = try SyncedDatabase.initialize(at: path, create: true, configuration: configuration)
    }
  }

  private func isAway(_ path: FilePath) -> StoreError {
    StoreError(
      .notPermitted,
      "the store that this device knows is not at \(path.printable) any more; nothing was made",
      advice: Advice("is another account or another disk there? see", .listAll(path)),
      remedies: [.waitForService, .repair])
  }

  private func withoutVersions(_ path: FilePath) -> StoreError {
    StoreError(
      .unavailable, "\(path.printable) is there without its versions; nothing was changed",
      advice: Advice(
        "wait for the service, or make a store of it", .initialize, on: DatabaseName(path)))
  }

  /// Continues an interrupted first copy; the versions of somebody else's file may still arrive.
  private func finishBeginning(_ path: FilePath) throws {
    let content = try FileContent(path, fileSystem: files)
    let found = try BlockDigests(size: content.size, read: content.read).root
    guard found == record.beginning else { throw withoutVersions(path) }
    _ = try SyncedDatabase.initialize(at: path, create: false, configuration: configuration)
  }

  /// The first attach to an empty folder.
  private mutating func copyLocal(to path: FilePath) throws {
    // Another device's store may be on its way.
    try SyncedDatabase.checkInitialize(at: path, create: true, configuration: configuration)
    if SyncedDatabase.storeID(at: local, files) == nil {
      _ = try SyncedDatabase.initialize(at: local, create: false, configuration: configuration)
    }
    let (live, tables) = try quietly(local) { store in
      (try store.liveVersion(), try store.read { try $0.rowCounts() })
    }
    try note { $0.beginning = live.content }
    try quietly(local) { try $0.export(live.id, to: path, mode: .createNew) }
    let state = try files.databaseHeader(of: path)
    let made = try SyncedDatabase.initialize(at: path, create: false, configuration: configuration)
    try note {
      $0.stores.append(made.store)
      $0.local = AttachmentRecord.Origin(content: live.content, version: made.head)
      $0.mirror = AttachmentRecord.Origin(
        content: live.content, store: made.store, version: made.head)
    }
    let kept = migrated
    // A file that was written to since, or cannot be had now, is merged next, and that says why it cannot be.
    let isDone = (try? localFile.setAside(as: kept, ifStill: state)) ?? false
    if isDone { try note { $0.local = nil } }
    atLaunch = try log(
      report(.copied, tables.map(AttachReport.Table.init), keptAt: isDone ? kept : local))
  }

  /// Another account's folder is there: data of the one before is set aside and never goes into it.
  private mutating func keepApart(from store: String) throws {
    if let owner = record.local?.store ?? record.mirror?.store, owner != store {
      let suffix = ".of-\(owner.prefix(8))"
      var kept: FilePath?
      if try exists(mirror) {
        let name = mirror.named(mirror, suffix)
        try files.rename(mirror, to: name)
        kept = name
      }
      if try exists(local) {
        try note { $0.setAside[owner] = $0.local }
        let name = local.named(local, suffix)
        try files.renameWithCompanion(local, to: name)
        kept = name
      }
      try note { ($0.local, $0.mirror) = (nil, nil) }
      atLaunch = try log(report(.setAside, keptAt: kept))
    }
    try bringBack(of: store)
  }

  /// The account of before is there again: so is what was written without its folder.
  private mutating func bringBack(of store: String) throws {
    let kept = local.named(local, ".of-\(store.prefix(8))")
    guard let origin = record.setAside[store], try exists(kept), try !exists(local) else { return }
    try note { $0.local = origin }
    try files.renameWithCompanion(kept, to: local)
    try note { $0.setAside[store] = nil }
  }
}
