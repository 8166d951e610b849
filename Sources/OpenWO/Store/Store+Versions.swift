import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The versions in reach.
extension Store {
  /// All versions, as last listed; nobody but this device changes what a transaction needs of them.
  func versions() throws -> VersionListing {
    if let listing { return listing }
    return try listVersions()
  }

  /// Lists all versions anew; files that were read before are not read again.
  @discardableResult
  func listVersions() throws -> VersionListing {
    let found = VersionListing(
      try archive.scan(reusing: listing?.archive ?? .empty), pendingFolder: state.pending)
    listing = found
    return found
  }

  /// Writes a version where it waits to be published.
  func keep(_ version: Version, _ payload: NewPayload) throws {
    try archive.write(version, payload, into: state.pending)
    try listVersions()
  }

  /// Takes a version that nobody else has out of the state folder.
  func drop(_ version: Version) throws {
    guard let found = listing, found.pending.contains(version.id) else { return }
    for file in found.archive.stored where file.version.id == version.id {
      try files.unlink(file.path)
    }
    try listVersions()
  }

  /// The version to fall back on: the live one, else the newest that is whole.
  func lastGoodVersion() throws -> Version? {
    let listing = try versions()
    if let current = try current(), listing.archive.holds(current.content) { return current }
    return listing.graph.newestFirst.first { listing.archive.holds($0.content) }
  }

  /// Opens a version's content as a private read-only database in the state folder.
  func privateCopy(of content: ContentHash) throws -> Connection {
    let path = state.scratch.appending("\(content).sqlite")
    if try files.statusIfPresent(path) == nil {
      try clearCopies()
      try archive.materialize(content, to: path, in: versions().archive, durable: false)
    }
    return try Connection(
      path: path,
      Connection.Options(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
  }

  /// Removes the private copies of other contents; whoever has one open keeps it.
  private func clearCopies() throws {
    let copies = try files.list(state.scratch) { $0.stem.utf8.count == 64 }
    for name in copies { try? files.unlink(state.scratch.appending(name)) }
  }
}
