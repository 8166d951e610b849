import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Capturing: the live file's content becomes a version, durable in the state folder.
extension Store {
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
  func captureLive(
    reason: VersionReason, changed: ChangedPages = .all, parents: [VersionID]? = nil,
    note text: String? = nil, modified: Timestamp? = nil, mayBeDelivered: Bool = false
  ) throws -> Version {
    guard let live = workingCopy.file else { throw StoreError.inDoubt("it is closed", paths) }
    let connection = live.connection
    return try live.readingUntouched {
      let header = try connection.header()
      let digests = try workingCopy.digests(of: connection, header, changed)
      if let current = try current(), current.content == digests.root {
        try workingCopy.note(current.id, digests)
        workingCopy.uncaptured.end()
        return current
      }
      let facts = ContentFacts(header, digests)
      let folded = try foldable(reason, parents)
      let version = try make(
        facts, reason, parents: parents ?? folded?.parents, note: text, notAfter: modified,
        members: mayBeDelivered || reason == .external && !workingCopy.isWritten(live.signature)
          ? [Version.delivered] : [])
      let made = NewVersions(store: self)
      try made.keep(version, made.payload(version, LiveContent(connection), changed, folded))
      guard try live.isUntouched() else {
        // The content is of two states. If only the name went to another file, pending commits are
        // still ours.
        if !connection.hasMoved { workingCopy.uncaptured.end() }
        try made.drop(version)
        throw StaleLook()
      }
      try workingCopy.note(version.id, digests)
      workingCopy.uncaptured.end()
      if let folded { try made.drop(folded) }
      upkeep.captured(at: clock.monotonic())
      events.send(.captured(version.id, reason: reason))
      return version
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
    let origins = try origins(ofLive: place, file)
    return try captureLive(
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
    let parents = try origins(ofLive: place, file).parents
    let connection = file.connection
    return try connection.withReadLock {
      guard try connection.damage(ifDelivered: !isProven) == nil else {
        throw StoreError.inDoubt("it lost its name, and what it holds is damaged", paths)
      }
      let content = try LiveContent(connection)
      let facts = ContentFacts(try connection.header(), try content.digests())
      let version = try make(facts, reason, parents: parents)
      try NewVersions(store: self).keep(version, .full(content))
      events.send(.captured(version.id, reason: reason))
      return version
    }
  }

  /// Makes a version of this device, stamped after all that it has seen.
  func make(
    _ facts: ContentFacts, _ reason: VersionReason, parents: [VersionID]?, note: String? = nil,
    notAfter modified: Timestamp? = nil, members: [JSONMember] = []
  ) throws -> Version {
    let listing = try versions.listed()
    let graph = listing.graph
    let parents = parents ?? (workingCopy.current.map(graph.family) ?? [])
    let at =
      modified.map {
        HybridTime.found(
          modified: $0.milliseconds,
          after: parents.compactMap { graph[$0]?.at } + passedOver(graph), now: clock.now())
      } ?? stamp(after: listing, now: clock.now())
    return try Version(
      facts: facts, parents: parents, device: device.id, deviceName: device.name, at: at,
      reason: reason, note: note, members: members + says(reason))
  }

  /// The manifest that a store's first version carries.
  private func says(_ reason: VersionReason) throws -> [JSONMember] {
    guard reason == .create else { return [] }
    let text = String(decoding: try CompanionFile.bytes(of: manifest), as: UTF8.self)
    return [Version.manifest(text)].compactMap(\.self)
  }

  /// The stamp after all that are listed; only one that is too far ahead to be followed needs a look at all of them.
  private func stamp(after listing: VersionListing, now: Int64) -> HybridTime {
    guard let latest = listing.latest, latest.isAhead(of: now) else {
      return HybridTime.next(after: CollectionOfOne(listing.latest).compactMap(\.self), now: now)
    }
    return HybridTime.next(after: listing.graph.versions.lazy.map(\.at), now: now)
  }

  /// The largest number of changed pages at which a version is replaced by the next one: each write
  /// of a burst stores all of them again.
  private static var foldedPages: Int { 8 }

  /// The version that the new one replaces: our own last write, while nobody else has it and it is
  /// small.
  private func foldable(_ reason: VersionReason, _ parents: [VersionID]?) throws -> Version? {
    guard [.write, .migrate].contains(reason), parents == nil, let current = try current(),
      current.reason == reason, current.device == device.id,
      burst.changedPages.map({ $0 <= Self.foldedPages }) ?? true,
      try versions.listed().pending.contains(current.id),
      try versions.listed().graph.isHead(current.id),
      // The live file may have travelled ahead of it.
      try !versions.listed().archive.isBase(current)
    else { return nil }
    return current
  }

  /// The version that the live file is a copy of, as far as this device knows.
  func current() throws -> Version? {
    guard let id = workingCopy.current else { return nil }
    return try versions.listed().graph[id]
  }
}

extension ContentFacts {
  init(_ header: DatabaseHeader, _ digests: BlockDigests) {
    self.init(
      hash: digests.root, bytes: digests.size, pageSize: header.pageSize,
      userVersion: header.userVersion, applicationID: header.applicationID)
  }
}
