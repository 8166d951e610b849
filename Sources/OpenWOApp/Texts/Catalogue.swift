public import OpenWO

/// The texts about syncing, in one language and with one name for the folder.
public struct Catalogue: Sendable, Hashable {
  /// The language.
  public var language: Language
  /// The name of the folder.
  public var wording: Wording

  /// Makes a catalogue.
  public init(_ language: Language, _ wording: Wording = .folder) {
    self.language = language
    self.wording = wording
  }

  /// One text.
  public subscript(text: SyncText) -> String {
    let own = wording == .folder ? text.ofFolder : nil
    return words(of: own ?? text.translated)
  }

  /// A text with the folder's own name in it.
  func words(of text: Translated) -> String {
    var words = text[language]
    for (mark, word) in [
      ("{title}", wording.title), ("{name}", wording.name), ("{Name}", wording.nameAtStart),
    ] {
      words.replace(mark, with: word[language])
    }
    return words
  }

  /// The text about which device has checked out the live version, and when.
  ///
  /// The time is in the zone `minutesEast` of UTC, by default the person's, and has no date if that
  /// is the date of `today`.
  public func seen(
    _ sighting: SyncState.Sighting, minutesEast: Int64? = nil, today: Timestamp? = nil
  ) -> String {
    var words = self[.seenBy]
    let moment = time(sighting.at, minutesEast: minutesEast)
    let day = today.map { time($0, minutesEast: minutesEast).prefix(10) }
    let isToday = day == nil || day == moment.prefix(10)
    words.replace("{time}", with: isToday ? String(moment.dropFirst(11)) : moment)
    words.replace("{device}", with: sighting.device)
    return words
  }

  /// The text for an app's user about an error of its store.
  public func message(for error: StoreError) -> String {
    if let kind = SyncErrorKind(error.code) { return self[kind.guidance] }
    switch error.code {
    case .locked, .notYourLock, .lockLost:
      guard let device = error.lock?.deviceName else { return self[.locked] }
      return being(editedOn: device)
    case .setAside: return self[.setAside]
    case .mergeRefused, .unmerged: return self[.cannotBeMerged]
    case .brokenReferences: return self[.brokenReferences]
    case .inDoubt: return self[.notSaved]
    default: return self[.failed]
    }
  }

  /// The text that a person is editing the data, and where.
  public func being(editedOn device: String) -> String {
    var words = self[.beingEdited]
    words.replace("{device}", with: device)
    return words
  }

  /// The text that a number of changes of this device were set aside.
  public func setAside(_ count: Int) -> String {
    var words = self[.changesSetAside]
    words.replace("{count}", with: String(count))
    return words
  }

  /// The text that a number of sides that were set aside have been merged.
  public func broughtIn(_ count: Int) -> String {
    let words =
      count == 0
      ? Translated(en: "Nothing was set aside.", ja: "取り込むものはありません。")
      : Translated(en: "Brought in. Both sides are kept.", ja: "取り込みました。両方の変更が残っています。")
    return words[language]
  }

  /// A moment as people read it, such as `2026-11-21 14:02`, so many minutes east of UTC.
  ///
  /// By default it is in the person's time zone, and has its offset if the hour repeats: `2026-10-25 02:30+01:00`.
  public func time(_ moment: Timestamp, minutesEast: Int64? = nil) -> String {
    (minutesEast.map(LocalZone.fixed) ?? .machine).text(moment)
  }
}
