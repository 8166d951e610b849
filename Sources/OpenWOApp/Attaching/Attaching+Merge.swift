import OpenWO
import OpenWOFiles
import SystemPackage

/// Bringing what was written on this device into a folder that has data already.
extension Attaching {
  /// Merges the local file into the open store by key, once; nil if there is no such file.
  ///
  /// The report names a failure: then the data stays where it is and the next start tries again.
  mutating func mergeLocal(into store: SyncedDatabase) throws -> AttachReport? {
    guard try exists(local) else {
      try note { $0.remember(store.storeID) }
      return nil
    }
    let isFork = record.local?.store == store.storeID
    do {
      var tables: [AttachReport.Table]?
      // A file for times without the folder serves again; the one from before the folder is done with.
      let kept = isFork ? nil : migrated
      if let kept {
        try localFile.setAside(as: kept) { try bringRows(into: store, &tables) }
      } else {
        _ = try bringRows(into: store, &tables)
      }
      try note {
        $0.remember(store.storeID)
        if !isFork { $0.local = nil }
      }
      if isFork && tables == nil { return nil }
      return try log(report(tables == nil ? .nothingNew : .merged, tables ?? [], keptAt: kept))
    } catch let error as StoreError {
      return try log(report(.failed, failure: error.message, keptAt: local))
    }
  }

  /// Merges the rows and adds what became of them; the tables stay nil if the file has none that
  /// the app's seeds or the folder did not have.
  ///
  /// Returns the header of the merged state.
  private mutating func bringRows(
    into store: SyncedDatabase, _ tables: inout [AttachReport.Table]?
  ) throws -> [UInt8] {
    if SyncedDatabase.storeID(at: local, files) == nil {
      _ = try SyncedDatabase.initialize(at: local, create: false, configuration: configuration)
    }
    let copy = memory.appending("attaching.sqlite")
    try files.makeDirectories(memory)
    defer { try? files.unlink(copy) }
    let live = try quietly(local) { local in
      let live = try local.liveVersion()
      try local.export(live.id, to: copy)
      // A conflict goes by the time of the write here, not by the arrival of the folder.
      try files.setTimes(
        copy, modified: min(live.madeAt.milliseconds, .max / 1_000_000) * 1_000_000)
      return live
    }
    let state = try files.databaseHeader(of: copy)
    guard live.content != record.local?.content else { return state }
    let request = MergeRequest(allowsEmptyBase: true, grewFrom: try base(in: store))
    let result = try store.merge(.file(copy), request)
    // Record this now, so that the same rows are not merged again, and rows that were deleted since
    // do not come back. This file lacks the folder's other rows, so it does not follow from the
    // folder's version.
    try note {
      $0.local = AttachmentRecord.Origin(
        content: live.content, store: $0.local?.store, version: result.theirs)
    }
    tables = AttachReport.Table.sum(
      (tables ?? []) + result.tables.map(AttachReport.Table.init))
    return state
  }

  /// The version that the local file follows from, if the store has it.
  private func base(in store: SyncedDatabase) throws -> VersionID? {
    guard let origin = record.local else { return nil }
    let versions = try store.history().map(\.version)
    if let known = versions.first(where: { $0.id == origin.version }) { return known.id }
    // Both may have begun with the same seeds.
    return versions.last { $0.content == origin.content }?.id
  }
}

extension AttachmentRecord {
  /// Notes that this device is attached to a store.
  mutating func remember(_ store: String) {
    if !stores.contains(store) { stores.append(store) }
  }
}
