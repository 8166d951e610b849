/// The texts about syncing, in one language and with one name for the folder.
public struct Catalogue: Sendable, Hashable {
  /// The language.
  public var language: Language
  /// What the folder is called.
  public var wording: Wording

  /// A catalogue of texts.
  public init(_ language: Language, _ wording: Wording = .folder) {
    self.language = language
    self.wording = wording
  }

  /// One text.
  public subscript(text: SyncText) -> String {
    var words = text.translated[language]
    for (mark, word) in [
      ("{title}", wording.title), ("{name}", wording.name), ("{Name}", wording.nameAtStart),
    ] {
      words.replace(mark, with: word[language])
    }
    return words
  }

  /// Which device has taken over what is live here, and when.
  ///
  /// The time is shown so many minutes east of UTC.
  public func seen(_ sighting: SyncState.Sighting, minutesEast: Int64 = 0) -> String {
    var words = self[.seenBy]
    words.replace("{time}", with: time(sighting.at, minutesEast: minutesEast).suffix(5))
    words.replace("{device}", with: sighting.device)
    return words
  }

  /// A moment as people read it, such as `2026-11-21 14:02`, so many minutes east of UTC.
  public func time(_ moment: Timestamp, minutesEast: Int64 = 0) -> String {
    let local = moment.advanced(bySeconds: minutesEast * 60).description
    return local.prefix(10) + " " + local.dropFirst(11).prefix(5)
  }
}
