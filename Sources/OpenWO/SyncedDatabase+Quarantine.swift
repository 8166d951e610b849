package import SystemPackage

/// Files that could not become versions.
extension SyncedDatabase {
  /// The files in this device's quarantine, newest first.
  ///
  /// Calling this marks them as seen.
  public func quarantine() throws -> [QuarantinedFile] {
    try core.with { try Recovering(store: $0).list() }
  }

  /// Writes a new database with what can be read of a file that was kept aside.
  ///
  /// The file is read page by page; rows whose table cannot be told are in a table `lost_and_found`. Without a name it is the only file there.
  ///
  /// - Throws: ``StoreError`` with `noSuchVersion` for a name that none has, `notRestorable` if nothing can be read, `noSpace`.
  public func recover(_ id: String?, to path: String) throws -> RecoveryReport {
    try recover(id, to: FilePath(path))
  }

  /// Writes to a file whose path need not be text.
  package func recover(_ id: String?, to path: FilePath) throws -> RecoveryReport {
    try core.with { try Recovering(store: $0).run(id, to: path) }
  }
}
