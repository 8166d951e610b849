import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Capturing the live file, and an open file that has lost its name to another one.
struct LiveCapture: StorePart {
  let store: Store

  /// Captures the live file if its content is not the current version's.
  ///
  /// If the changed pages are known and the record is current, it reads only these; otherwise the
  /// whole file.
  ///
  /// `changed` are the pages that differ from the recorded content. Without `parents`, the parent
  /// is the current version, or that version's parents if the two are combined. `modified` is the
  /// file's time, for an edit without a stamp. It returns the version that the live file is now a
  /// copy of.
  ///
  /// - Throws: `StaleLook` if somebody wrote into the file after the look.
  @discardableResult
  func capture(
    reason: VersionReason, changed: ChangedPages = .all, parents: [VersionID]? = nil,
    note: String? = nil, modified: Timestamp? = nil, mayBeDelivered: Bool = false
  ) throws -> Version {
    guard let live = workingCopy.file else { throw StoreError.inDoubt("it is closed", paths) }
    let connection = live.connection
    return try live.readingUntouched {
      let header = try connection.header()
      let digests = try workingCopy.digests(of: connection, header, changed)
      if let current = try workingCopy.currentVersion(), current.content == digests.root {
        try workingCopy.note(current.id, digests)
        workingCopy.uncaptured.end()
        return current
      }
      let folded = try foldable(reason, parents)
      let isDelivered =
        mayBeDelivered || reason == .external && !workingCopy.isWritten(live.signature)
      let new = NewVersion(
        ContentFacts(header, digests), reason, parents: parents ?? folded?.parents, note: note,
        notAfter: modified, members: isDelivered ? [Version.delivered] : [])
      return try newVersions.capture(new) {
        try newVersions.payload($0, LiveContent(connection), changed, folded)
      } check: {
        guard try !live.isUntouched() else { return }
        // The content is of two states. If only the name went to another file, pending commits are
        // still ours.
        if !connection.hasMoved { workingCopy.uncaptured.end() }
        throw StaleLook()
      } note: { version in
        try workingCopy.note(version.id, digests)
        workingCopy.uncaptured.end()
        if let folded { try newVersions.drop(folded) }
        store.upkeep.captured(at: clock.monotonic())
      }
    }
  }

  /// Captures what a person made under a lock that began with a version.
  ///
  /// - Throws: `StaleLook` if somebody wrote into the file after the look.
  func captureEdit(since start: Version?, note: String?) throws -> Version {
    try captureUnknown(.underOwnLock(since: start?.id), reason: .edit, note: note)
  }

  /// Captures the live file at the start of a lock, whoever wrote it.
  ///
  /// - Throws: `StaleLook` if somebody wrote into the file after the look.
  func captureFound(reason: VersionReason) throws -> Version {
    try captureUnknown(.atLock, reason: reason)
  }

  private func captureUnknown(
    _ place: ForeignContent.Place, reason: VersionReason, note: String? = nil
  ) throws -> Version {
    let file = try workingCopy.open()
    let origins = try EvidenceGatherer(store: store).origins(ofLive: place, file)
    return try capture(
      reason: origins.reason ?? reason, parents: origins.parents, note: note,
      mayBeDelivered: origins.mayBeDelivered)
  }

  /// Captures the content of an open file that has lost its name.
  ///
  /// A content that is not proven to be our own commits is judged as a delivered one.
  ///
  /// - Throws: `inDoubt` if the content is not a whole database: then the write has no version, and
  ///   the live file is restored from one.
  @discardableResult
  func captureOrphan(
    _ file: LiveFile, _ reason: VersionReason, _ place: ForeignContent.Place, isProven: Bool
  ) throws -> Version {
    let parents = try EvidenceGatherer(store: store).origins(ofLive: place, file).parents
    let connection = file.connection
    return try connection.withReadLock {
      guard try connection.damage(ifDelivered: !isProven) == nil else {
        throw StoreError.inDoubt("it lost its name, and what it holds is damaged", paths)
      }
      let content = try LiveContent(connection)
      let facts = ContentFacts(try connection.header(), try content.digests())
      return try newVersions.capture(NewVersion(facts, reason, parents: parents)) { _ in
        .full(content)
      }
    }
  }

  /// The largest number of changed pages at which a version is replaced by the next one: each write
  /// of a burst stores all of them again.
  private static var foldedPages: Int { 8 }

  /// The version that the new one replaces: our own last write, while nobody else has it and it is
  /// small.
  private func foldable(_ reason: VersionReason, _ parents: [VersionID]?) throws -> Version? {
    guard [.write, .migrate].contains(reason), parents == nil,
      let current = try workingCopy.currentVersion(),
      current.reason == reason, current.device == device.id,
      versions.burst.changedPages.map({ $0 <= Self.foldedPages }) ?? true,
      try versions.listed().pending.contains(current.id),
      try versions.listed().graph.isHead(current.id),
      // The live file may have travelled ahead of it.
      try !versions.listed().archive.isBase(current)
    else { return nil }
    return current
  }
}
