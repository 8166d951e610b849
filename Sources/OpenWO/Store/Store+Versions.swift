import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The versions, as this device writes them.
extension Store {
  /// Runs a body with the writer lock, after taking over what other processes of this device did.
  func asWriter<Result>(_ body: () throws -> Result) throws -> Result {
    try coordinator.asWriter {
      try catchUp()
      return try body()
    }
  }

  /// Takes over what other processes of this device have captured, published and recorded.
  func catchUp() throws {
    try versions.refresh()
    guard let found = try workingCopy.signature(), !workingCopy.isAsRecorded(found) else { return }
    // A process that has just committed records that before it gives the writer lock back.
    do {
      try coordinator.asWriter(waitingUpTo: .milliseconds(500)) {}
    } catch let error as StoreError where error.code == .busy {}
    workingCopy.loadBaseline()
  }

  /// Writes a version into the state folder, after making durable what it rests on.
  func keep(_ version: Version, _ payload: NewPayload) throws {
    switch payload {
    case .full: break
    case .pages(let changes): try makeDurable(changes.base)
    case .same: try makeDurable(version.content)
    }
    try versions.keep(version, payload)
  }

  /// Chooses how a captured content is stored.
  func payload(
    _ version: Version, _ new: any ContentSource, _ changed: ChangedPages, _ folded: Version?
  ) throws -> NewPayload {
    try burst.payload(version, new, changed, folded, live: workingCopy.content)
  }

  /// Chooses how a file's content is stored: by what differs from a content in the archive, a
  /// parent's unless told.
  func payload(
    _ version: Version, _ new: any ContentSource, after base: ContentHash? = nil
  ) throws -> NewPayload {
    try burst.payload(version, new, after: base, live: workingCopy.content)
  }

  /// Makes the files durable that hold a content; the live version was made so when it was recorded.
  func makeDurable(_ content: ContentHash) throws {
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
