import OpenWOHistory
import OpenWOSQLite

/// The versions that this device makes, in its state folder until they are published.
struct NewVersions: StorePart {
  let store: Store

  /// Writes a version into the state folder, after making durable what it rests on.
  func keep(_ version: Version, _ payload: NewPayload) throws {
    switch payload {
    case .full: break
    case .pages(let changes): try makeDurable(changes.base)
    case .same: try makeDurable(version.content)
    }
    try versions.keep(version, payload)
  }

  /// The same for the content of a file, stored by what differs from a parent's or another content.
  func keep(
    _ version: Version, of content: any ContentSource, after base: ContentHash? = nil
  ) throws {
    try keep(version, payload(version, content, after: base))
  }

  /// Chooses how a captured content is stored.
  func payload(
    _ version: Version, _ new: any ContentSource, _ changed: ChangedPages, _ folded: Version?
  ) throws -> NewPayload {
    try versions.burst.payload(version, new, changed, folded, live: workingCopy.content)
  }

  /// Chooses how a file's content is stored: by what differs from a content in the archive, a
  /// parent's unless told.
  func payload(
    _ version: Version, _ new: any ContentSource, after base: ContentHash? = nil
  ) throws -> NewPayload {
    try versions.burst.payload(version, new, after: base, live: workingCopy.content)
  }

  /// Makes the files durable that hold a content; the live version was made so when it was
  /// recorded.
  private func makeDurable(_ content: ContentHash) throws {
    guard content != workingCopy.content else { return }
    try versions.makeDurable(content, besides: device.id)
  }

  /// Makes a version durable that the live file is about to be a copy of.
  func makeDurable(_ version: Version) throws {
    guard workingCopy.current != version.id else { return }
    try versions.makeDurable(version, besides: device.id)
  }

  /// Removes a version that nobody else has; a live file that was its copy is looked at again.
  func drop(_ version: Version) throws {
    guard try versions.drop(version), workingCopy.current == version.id else { return }
    workingCopy.forgetBaseline()
  }
}
