import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Asks the ancestry table where a content came from, and gathers the evidence that the table
/// needs.
struct EvidenceGatherer: StorePart {
  let store: Store

  /// The decision about a content: the versions that it follows from, and its reason if the table
  /// knows it.
  struct Origins {
    /// The versions that it follows from; none for a rival.
    var parents: [VersionID] = []
    /// Why it is there; nil: the caller knows.
    var reason: VersionReason?
    /// Whether a service may have brought it into the very file.
    var mayBeDelivered = false
  }

  /// Where the content of the live file, or of an open file that lost its name, came from.
  ///
  /// - Throws: `StaleLook` if somebody wrote into the file after the look.
  func origins(
    ofLive place: ForeignContent.Place, _ file: LiveFile
  ) throws -> Origins {
    var content = ForeignContent(place)
    content.evidence.isAsRecorded = workingCopy.isAsRecorded(file.signature)
    content.evidence.beginsStore =
      try workingCopy.baseline == nil
      && versions.listed().graph.versions.allSatisfy { $0.isPassedOver(by: device.id) }
    content.evidence.isWrittenInPlace = workingCopy.isWritten(file.signature)
    let first = try decide(content)
    guard case .needs = first else { return Self.origins(first) }
    return try file.connection.withReadLock {
      guard try file.connection.hasMoved || file.isUntouched() else { throw StaleLook() }
      return try origins(of: content) { part, evidence in
        do {
          try gather(part, of: place, from: file.connection, into: &evidence)
        } catch let error where place.isUnderOwnLock && Self.isUnreadableVersion(error) {
          // An unreadable version must not keep a lock from ending.
          guard evidence.takeAsEdit(part) else { throw error }
        }
      }
    }
  }

  private static func isUnreadableVersion(_ error: any Error) -> Bool {
    error is StoreError || error is HistoryError || error is FileError
  }

  /// Where the content of the live file came from, judged by a private copy.
  func origins(ofLive signature: FileSignature, in copy: Connection) throws -> Origins {
    var content = ForeignContent(.live)
    content.evidence.isWrittenInPlace = workingCopy.isWritten(signature)
    return try origins(of: content) { try gather($0, of: .live, from: copy, into: &$1) }
  }

  /// Where the content of a file beside the live one came from.
  func origins(
    ofFile place: ForeignContent.Place, _ path: FilePath, isWrittenInPlace: Bool = false
  ) throws -> Origins {
    var content = ForeignContent(place)
    content.evidence.isWrittenInPlace = isWrittenInPlace
    let first = try decide(content)
    guard case .needs = first else { return Self.origins(first) }
    let copy = try OutsideFile(path, store)
    defer { copy.remove() }
    return try origins(of: content, in: copy)
  }

  /// Where the content of a private copy of a file came from.
  func origins(of content: ForeignContent, in copy: OutsideFile) throws -> Origins {
    let first = try decide(content)
    guard case .needs = first else { return Self.origins(first) }
    let connection = try copy.open()
    defer { connection.close() }
    return try origins(of: content) {
      try gather($0, of: content.place, from: connection, into: &$1)
    }
  }

  /// Where a content came from, if its place alone decides that.
  func origins(of place: ForeignContent.Place) throws -> Origins {
    Self.origins(try decide(ForeignContent(place)))
  }

  private func decide(_ content: ForeignContent) throws -> Ancestry {
    AncestryTable(graph: try versions.listed().graph, current: workingCopy.current).decide(content)
  }

  private func origins(
    of content: ForeignContent,
    gathering gather: (Evidence.Part, inout Evidence) throws -> Void
  ) throws -> Origins {
    var content = content
    while true {
      let decision = try decide(content)
      guard case .needs(let part) = decision else { return Self.origins(decision) }
      let before = content.evidence
      try gather(part, &content.evidence)
      precondition(content.evidence != before, "evidence that was asked for has to be given")
    }
  }

  private static func origins(_ ancestry: Ancestry) -> Origins {
    guard case .child(let parents, let reason, let rule) = ancestry else { return Origins() }
    return Origins(
      parents: parents, reason: reason,
      mayBeDelivered: reason == .external
        || [.undoneUnderLock, .closestUnderLock].contains(rule))
  }

  private func gather(
    _ part: Evidence.Part, of place: ForeignContent.Place, from connection: Connection,
    into evidence: inout Evidence
  ) throws {
    let rows = Origin(store: store, isCommittedLater: place == .conflictCopy)
    switch part {
    case .twin:
      let content = try LiveContent(connection).digests().root
      evidence.twin = Evidence.Answer(try versions.listed().graph.latest(content: content)?.id)
    case .pages:
      evidence.pages = try Kinship(store: store, listing: versions.listed()).find(
        for: LiveContent(connection), pageSize: connection.header().pageSize)
    case .peers: evidence.isAlone = try VersionDetector(store: store).isAlone(versions.listed())
    case .rows(let id):
      // Rows that cannot be compared do not say otherwise than the file and its times.
      let isNext = evidence.isWrittenInPlace && id == workingCopy.current
      evidence.carries[id] = try Self.answer(orElse: isNext) {
        try rows.isConfirmed(id, by: connection)
      }
    case .share(let id):
      evidence.carriesMost[id] = try Self.answer(orElse: false) {
        try rows.isMostly(id, in: connection)
      }
    case .otherSide(let current):
      evidence.otherSide = try Self.answer(orElse: .nothing) {
        Evidence.Answer(try rows.otherSide(than: current, in: connection))
      }
    case .search:
      let found = try Self.answer(orElse: nil) { try rows.find(for: connection)?.id }
      evidence.search = Evidence.Answer(found)
    case .closest:
      evidence.closest = try Self.answer(orElse: .nothing) {
        Evidence.Answer(try rows.closest(to: connection)?.id)
      }
    }
  }

  /// The answer of a comparison of rows, or a default if they cannot be compared, for example for
  /// an unknown collation.
  ///
  /// Rows that cannot be compared are captured all the same.
  private static func answer<Answer>(
    orElse otherwise: Answer, _ compare: () throws -> Answer
  ) throws -> Answer {
    do {
      return try compare()
    } catch let error as SQLiteError where !error.isPassing {
      return otherwise
    }
  }
}
