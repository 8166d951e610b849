package import OpenWOHistory

/// Where a content came from, decided by the ancestry table.
package enum Ancestry: Sendable, Hashable {
  /// It follows from these versions, which count as one; with the reason if the table knows it.
  case child(of: [VersionID], reason: VersionReason? = nil, AncestryRule)
  /// It follows from no version that we know of.
  case rival
  /// The table cannot tell before this is known.
  case needs(Evidence.Part)
}

/// The rows of the ancestry table, in the words of `docs/ANCESTRY.md`.
package enum AncestryRule: String, Sendable, CaseIterable {
  /// The file is as it was recorded.
  case asRecorded
  /// The store is just being made.
  case beginningOfStore
  /// Written in place, and the pages are the current version's.
  case pagesOfCurrent
  /// Written in place after the current version, and no other device is known.
  case onlyWriterInPlace
  /// The first edit of a store that has only one version.
  case firstEdit
  /// All changes of the version are in its rows.
  case rowsOfVersion
  /// No other device is known, most rows of the current version are there, and nothing that it changed is undone.
  case onlyWriterElsewhere
  /// A person put an earlier content back.
  case putBack
  /// Edited in place under this device's lock.
  case editedUnderLock
  /// Written in place under this device's lock, but what the current version changed is undone.
  case undoneUnderLock
  /// Replaced by an earlier state under this device's lock.
  case restoredUnderLock
  /// Replaced under this device's lock, and no other device is known.
  case replacedUnderLock
  /// Replaced under this device's lock and edited, and fewest rows differ from the version.
  case closestUnderLock
  /// A version has the same content.
  case knownContent
  /// A search by rows found the version.
  case foundByRows
  /// A commit of our own in a file that lost its name.
  case ownCommit
  /// A journal was replayed over it.
  case undoneByJournal
  /// Made beside a live file that was written in place.
  case besideCurrent
  /// A person named the version.
  case stated
}

/// The ancestry table: what a content was made from, and so what it may replace.
///
/// A pure function of the evidence and the version graph. The first row that fits decides. A parent
/// that is missed makes a content a rival, and both sides are kept. A parent that is wrong lets
/// another device's work vanish behind the content.
package struct AncestryTable: Sendable {
  private let graph: VersionGraph
  /// The version that the live file was a copy of when this device last knew; it may be out of sight.
  private let current: VersionID?

  /// Makes the table for one state of the store.
  package init(graph: VersionGraph, current: VersionID?) {
    (self.graph, self.current) = (graph, current)
  }

  /// Decides where a content came from, or returns the evidence that is needed first.
  package func decide(_ content: ForeignContent) -> Ancestry {
    let evidence = content.evidence
    switch content.place {
    case .live: return live(evidence)
    case .putBack: return child(of: current, reason: .restore, .putBack)
    case .underOwnLock(let start): return underOwnLock(since: start, content)
    case .atLock: return atLock(content)
    case .conflictCopy: return searched(evidence)
    case .displaced(let base, let isOverwritten):
      guard isOverwritten else { return child(of: base, .ownCommit) }
      return base.map { carried(by: [$0], evidence) } ?? .rival
    case .undone(let version): return child(of: version, .undoneByJournal)
    case .passedOver:
      return evidence.isWrittenInPlace ? child(of: current, .besideCurrent) : searched(evidence)
    case .imported(let stated):
      guard let stated, graph.contains(stated) else { return searched(evidence) }
      return .child(of: [stated], .stated)
    }
  }

  private func child(
    of version: VersionID?, reason: VersionReason? = nil, _ rule: AncestryRule
  ) -> Ancestry {
    .child(of: version.map(graph.family(of:)) ?? [], reason: reason, rule)
  }
}

/// The live file.
extension AncestryTable {
  private func live(_ evidence: Evidence) -> Ancestry {
    if evidence.isAsRecorded { return child(of: current, .asRecorded) }
    if evidence.beginsStore { return .child(of: graph.heads.map(\.id), .beginningOfStore) }
    guard let pages = evidence.pages else { return .needs(.pages) }
    let before = current.flatMap { graph[$0] }
    if let before, evidence.isWrittenInPlace {
      if pages.sharesMost, graph.twins(of: before.id).contains(where: { $0.id == pages.base }) {
        let other = hasOtherSide(than: before) ? evidence.otherSide : .nothing
        guard let other else { return .needs(.otherSide(than: before.id)) }
        if other == .nothing { return child(of: before.id, .pagesOfCurrent) }
      }
      if pages.mayFollowCurrent {
        guard let isAlone = evidence.isAlone else { return .needs(.peers) }
        if isAlone { return child(of: before.id, .onlyWriterInPlace) }
        if isOnlyVersion(before) { return child(of: before.id, .firstEdit) }
      }
    }
    if let before, graph.isHead(before.id) {
      guard let isAlone = evidence.isAlone else { return .needs(.peers) }
      let next = isAlone ? nextState(of: before, evidence, .onlyWriterElsewhere) : .rival
      if next != .rival { return next }
    }
    let carried = descent(evidence, from: before, pages.base)
    guard carried == .rival, let before, isOnlyVersion(before) else { return carried }
    return nextState(of: before, evidence, .firstEdit)
  }

  /// The version whose changes are all in the rows.
  ///
  /// A content written in place most likely follows from the version that was live. For a delivered
  /// content the search knows more than the pages: an older version may share as many pages as the
  /// real parent.
  private func descent(
    _ evidence: Evidence, from before: Version?, _ base: VersionID?
  ) -> Ancestry {
    let guesses = [evidence.isWrittenInPlace ? before?.id : nil, base].compactMap(\.self)
    if evidence.isWrittenInPlace {
      let carried = carried(by: guesses, evidence)
      return carried == .rival ? searched(evidence) : carried
    }
    let found = searched(evidence)
    return found == .rival ? carried(by: guesses, evidence) : found
  }

  /// A replaced live file that can hardly be anything but its next state.
  private func nextState(
    of before: Version, _ evidence: Evidence, _ rule: AncestryRule
  ) -> Ancestry {
    guard let carriesMost = evidence.carriesMost[before.id] else {
      return .needs(.share(of: before.id))
    }
    return carriesMost ? child(of: before.id, rule) : .rival
  }

  /// Whether there is a side beside a version: a service may have written that into the very file before a program did.
  ///
  /// A small database shares most pages with any side.
  private func hasOtherSide(than version: Version) -> Bool {
    graph.heads.contains {
      isBeside($0.id, version.id) && !graph.isAncestor(version.id, of: $0.id)
    }
  }

  private func isOnlyVersion(_ version: Version) -> Bool {
    version.reason == .create && graph.versions.count == 1
  }

  private func carried(by guesses: [VersionID], _ evidence: Evidence) -> Ancestry {
    for version in guesses where graph.contains(version) {
      guard let carries = evidence.carries[version] else { return .needs(.rows(of: version)) }
      if carries { return child(of: version, .rowsOfVersion) }
    }
    return .rival
  }
}

/// Locks, and files beside the live one.
extension AncestryTable {
  /// A program's write into the live file under this device's lock is the edit.
  ///
  /// So is a file that replaced it, if no service can have delivered it. An earlier state counts as
  /// a restore, so that the state that it undid is kept. Any other file may be a delivery.
  private func underOwnLock(since start: VersionID?, _ content: ForeignContent) -> Ancestry {
    if content.evidence.isWrittenInPlace { return inPlaceUnderLock(content.evidence) }
    guard let start, graph.contains(start) else { return replacedUnderLock(content) }
    guard let twin = content.evidence.twin else { return .needs(.twin) }
    if isEarlier(twin, than: start) {
      return child(of: start, reason: .restore, .restoredUnderLock)
    }
    guard let isAlone = content.evidence.isAlone else { return .needs(.peers) }
    guard isAlone else { return replacedUnderLock(content) }
    return child(of: start, reason: twin == .nothing ? .edit : .restore, .replacedUnderLock)
  }

  /// A service may have put another side's file here, in which the holder then changed most rows.
  ///
  /// No version has all of its changes there any more. The holder edited it all the same, so it is
  /// made from the version that it differs least from.
  private func replacedUnderLock(_ content: ForeignContent) -> Ancestry {
    let found = atLock(content)
    guard found == .rival else { return found }
    return switch content.evidence.closest {
    case nil: .needs(.closest)
    case .found(let version): child(of: version, .closestUnderLock)
    case .nothing: .rival
    }
  }

  /// Some services write into the very file, too.
  ///
  /// Then what the current version changed is gone, and another side's changes are there.
  private func inPlaceUnderLock(_ evidence: Evidence) -> Ancestry {
    guard let isAlone = evidence.isAlone else { return .needs(.peers) }
    guard !isAlone, let current, graph.contains(current) else {
      return child(of: current, .editedUnderLock)
    }
    guard let twin = evidence.twin else { return .needs(.twin) }
    if case .found(let version) = twin, isBeside(version, current) {
      return child(of: version, reason: .external, .knownContent)
    }
    guard let carries = evidence.carries[current] else { return .needs(.rows(of: current)) }
    if carries { return child(of: current, .editedUnderLock) }
    if graph.versions.contains(where: { isBeside($0.id, current) }) {
      guard let search = evidence.search else { return .needs(.search) }
      if case .found(let version) = search, isBeside(version, current) {
        return child(of: version, reason: .external, .foundByRows)
      }
    }
    return child(of: current, .undoneUnderLock)
  }

  /// Whether a version is neither the other one, nor a twin of it, nor what that was made from.
  private func isBeside(_ version: VersionID, _ current: VersionID) -> Bool {
    graph[version]?.content != graph[current]?.content && !graph.isAncestor(version, of: current)
  }

  private func isEarlier(_ twin: Evidence.Answer, than start: VersionID) -> Bool {
    guard case .found(let version) = twin, let hash = graph[version]?.content else { return false }
    return graph.ancestors(of: start).contains { graph[$0]?.content == hash }
  }

  private func atLock(_ content: ForeignContent) -> Ancestry {
    guard let twin = content.evidence.twin else { return .needs(.twin) }
    if case .found(let version) = twin { return child(of: version, .knownContent) }
    let found = live(content.evidence)
    return found == .rival ? searched(content.evidence) : found
  }

  private func searched(_ evidence: Evidence) -> Ancestry {
    switch evidence.search {
    case nil: .needs(.search)
    case .found(let version): child(of: version, .foundByRows)
    case .nothing: .rival
    }
  }
}
