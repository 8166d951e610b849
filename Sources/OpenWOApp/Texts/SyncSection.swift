/// The sync section of an app's settings, row by row.
public struct SyncSection: Sendable, Hashable {
  /// One row.
  public struct Row: Sendable, Hashable {
    /// The purpose of a row.
    public enum Kind: String, Sendable, Hashable {
      case status, detail, lastSync, lastLocalSave, seenBy, setAside, restart, action, tryAgain,
        syncNow, toggle
    }

    /// Its purpose.
    public var kind: Kind
    /// The text on the left, or the only text.
    public var title: String
    /// The text on the right.
    public var value: String?

    /// Whether it reacts to a tap; other rows must not.
    public var isTappable: Bool {
      [.action, .syncNow, .tryAgain, .toggle, .setAside].contains(kind)
    }
  }

  /// The rows, from top to bottom; a hidden section has none.
  public var rows: [Row] = []

  /// Makes the section for a profile.
  ///
  /// Times are in the zone `minutesEast` of UTC, by default the person's.
  public init(
    _ state: SyncState, _ profile: AppProfile, _ language: Language, minutesEast: Int64? = nil
  ) {
    let texts = Catalogue(language, profile.wording)
    switch profile.display {
    case .full: rows = Self.full(state, texts, minutesEast)
    case .indicator: rows = Self.indicator(state, texts, minutesEast)
    case .nothing: break
    }
    if profile.syncSwitch != .none {
      let text = profile.explanation?[language] ?? texts[.switchExplanation]
      rows.append(Row(kind: .toggle, title: text, value: texts[state.syncEnabled ? .on : .off]))
    }
    // An app that shows nothing of syncing speaks of its switch only.
    let isTold = profile.display != .nothing || state.restartReason == .switchMoved
    if isTold, let notice = state.restartNotice {
      rows.append(Row(kind: .restart, title: texts[notice]))
    }
  }

  private static func indicator(
    _ state: SyncState, _ texts: Catalogue, _ minutesEast: Int64?
  ) -> [Row] {
    var rows = [Row(kind: .status, title: texts[.title], value: texts[state.label])]
    // A state that may lose data or needs a person is never hidden.
    if let detail = detail(state, texts), state.needsAttention {
      rows.append(Row(kind: .detail, title: detail))
    }
    if let checked = state.lastCheckedAt {
      let time = texts.time(checked, minutesEast: minutesEast)
      rows.append(Row(kind: .lastSync, title: texts[.lastSync], value: time))
    }
    rows += untold(state, texts)
    // While the file of this device is open, there is nothing to look at.
    if state.activeStore == .synced { rows.append(Row(kind: .syncNow, title: texts[.syncNow])) }
    return rows
  }

  /// Who edits the data, what was not added to it yet, and what was set aside.
  private static func untold(_ state: SyncState, _ texts: Catalogue) -> [Row] {
    var rows: [Row] = []
    if let device = state.lockedBy {
      rows.append(Row(kind: .detail, title: texts.being(editedOn: device)))
    }
    if state.hasChangesToAdd { rows.append(Row(kind: .detail, title: texts[.changesToAdd])) }
    if state.setAside > 0 {
      rows.append(
        Row(kind: .setAside, title: texts.setAside(state.setAside), value: texts[.bringIn]))
    }
    return rows
  }

  private static func full(
    _ state: SyncState, _ texts: Catalogue, _ minutesEast: Int64?
  ) -> [Row] {
    var rows = [Row(kind: .status, title: texts[.title], value: texts[state.label])]
    // The last row says where to look.
    if let detail = detail(state, texts, without: .checkSettings) {
      rows.append(Row(kind: .detail, title: detail))
    }
    rows += untold(state, texts)
    if let checked = state.lastCheckedAt {
      let time = texts.time(checked, minutesEast: minutesEast)
      rows.append(Row(kind: .lastSync, title: texts[.lastSync], value: time))
      rows.append(Row(kind: .detail, title: texts[.bestEffort]))
    }
    if let saved = state.lastLocalSaveAt {
      let time = texts.time(saved, minutesEast: minutesEast)
      rows.append(Row(kind: .lastLocalSave, title: texts[.lastLocalSave], value: time))
    }
    rows += state.seenBy.map {
      Row(
        kind: .seenBy,
        title: texts.seen($0, minutesEast: minutesEast, today: state.lastCheckedAt))
    }
    rows.append(
      Row(kind: .action, title: texts[.openSettings], value: texts[.checkSettings]))
    if state.activeStore == .synced, state.status == .error {
      rows.append(Row(kind: .tryAgain, title: texts[.tryAgain]))
    }
    return rows
  }

  private static func detail(
    _ state: SyncState, _ texts: Catalogue, without hidden: SyncText? = nil
  ) -> String? {
    let lines = state.details.filter { $0 != hidden }.map { texts[$0] }
    return lines.isEmpty ? nil : lines.joined(separator: texts.language == .ja ? "" : " ")
  }
}

extension SyncState {
  /// The state in one or two words.
  public var label: SyncText {
    switch status {
    case .synced: .synced
    case .syncing: .syncing
    // If the switch was off, nobody has looked at the folder, so its state is unknown.
    case .localOnly: syncEnabled && restartReason != .switchMoved ? .localOnly : .thisDeviceOnly
    case .error: lastError?.label ?? .syncError
    case .checking: .checking
    }
  }

  /// Additional lines: the warning is there whenever data is on this device only.
  public var details: [SyncText] {
    if status == .checking { return [] }
    if restartReason == .folderGone { return [.folderGone] }
    if hasChangesToAdd, status == .error, lastError == .serviceUnavailable {
      return [.notBroughtIn]
    }
    var details: [SyncText] = activeStore == .local ? [.onlyOnThisDevice] : []
    switch status {
    case .synced: details.append(.saved)
    case .syncing: details.append(.takesAMoment)
    case .localOnly where syncEnabled && lastError == nil && restartReason != .switchMoved:
      details.append(availability == .restricted ? .restricted : .checkSettings)
    case .localOnly, .error: details += lastError.map { [$0.guidance] } ?? []
    case .checking: break
    }
    return details
  }

  var needsAttention: Bool { status == .error || status == .localOnly }

  /// The text about a restart; nil if none is needed.
  public var restartNotice: SyncText? {
    switch restartReason {
    case nil: nil
    case .switchMoved: .restartForChange
    case .folderAvailable: .availableAfterRestart
    // Its detail says so.
    case .folderGone: nil
    }
  }
}
