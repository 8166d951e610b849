import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
package import SystemPackage

/// Proving that versions can be restored, by restoring them.
extension Doctor {
  /// Restores all versions, or a random sample, into private files, and returns which of them are
  /// intact.
  ///
  /// Each content is assembled, checked against its hash, opened and checked by SQLite, and
  /// removed.
  static func restore(
    _ path: FilePath, _ configuration: Configuration, sample: Int?,
    telling: @Sendable (String) -> Void
  ) throws -> [Finding] {
    var configuration = configuration
    configuration.opensAsFound = true
    return try Store.using(path, configuration) { store in
      store.versions.readsEveryHeader = true
      return try StoreError.wrapping(store.paths) {
        try Preparing(store: store).run()
        return try Doctor(store: store).restore(sample: sample, telling: telling)
      }
    }
  }

  private func restore(
    sample: Int?, telling: @Sendable (String) -> Void
  ) throws -> [Finding] {
    let all = try store.versions.list().graph.newestFirst
    let chosen = sample.map { Array(all.shuffled().prefix($0)) } ?? all
    var (found, bytes) = ([Finding](), Int64(0))
    // Versions of one content are one file.
    var proven: [ContentHash: String?] = [:]
    for (number, version) in chosen.enumerated() {
      telling("version \(number + 1) of \(chosen.count)")
      let why = try proven[version.content] ?? restore(version)
      if proven.updateValue(why, forKey: version.content) == nil { bytes += version.bytes }
      if let why {
        found.append(
          Finding(
            .error, "notRestorable",
            "version \(version.id.short) of \(version.madeAt) cannot be restored: \(why)",
            advice: store.paths.next("see what is wrong with its file", .examine),
            remedies: [.waitForService, .repair]))
      }
    }
    let count = chosen.count - found.count
    return found + [
      Finding(
        .ok, "restored",
        "\(count) of \(chosen.count) versions were restored and are whole"
          + (chosen.count < all.count ? ", out of \(all.count)" : ""))
    ]
  }

  /// Why a version cannot be restored; nil if it can.
  private func restore(_ version: Version) throws -> String? {
    let scratch = store.state.scratch.appending("restored-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    do {
      try store.versions.materialize(version.content, to: scratch, mode: .createNew, durable: false)
      let connection = try Connection(path: scratch, .ofPrivateCopy)
      defer { connection.close() }
      return try connection.withReadLock { try connection.checkStructure().damage }
    } catch HistoryError.missing {
      return "its file is gone, damaged, or still being brought"
    } catch let error as SQLiteError {
      return error.message
    }
  }
}

extension SyncedDatabase {
  /// Proves that versions can be restored, by restoring all of them, or a random sample, into a
  /// private file.
  ///
  /// - Throws: ``StoreError`` with `noStore` or `unavailable` if there is nothing to restore, `noSpace`.
  public static func restoreAll(
    path: String, configuration: Configuration = Configuration(), sample: Int? = nil
  ) throws -> [Finding] {
    try restoreAll(at: FilePath(path), configuration: configuration, sample: sample) { _ in }
  }

  /// Does the same for a path that need not be text, and tells how far it is.
  package static func restoreAll(
    at path: FilePath, configuration: Configuration, sample: Int?,
    telling: @Sendable (String) -> Void
  ) throws -> [Finding] {
    try Doctor.restore(path, configuration, sample: sample, telling: telling)
  }
}
