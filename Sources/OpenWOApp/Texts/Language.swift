/// A language of the texts.
public enum Language: String, Sendable, Hashable, Codable, CaseIterable {
  /// English.
  case en
  /// Japanese.
  case ja

  /// The language of a locale such as `ja_JP.UTF-8`; English for any but Japanese.
  public init(locale: String?) {
    self = locale?.hasPrefix("ja") == true ? .ja : .en
  }
}

extension Language {
  /// The language of a process: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set.
  public init(environment: [String: String]) {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
    self.init(locale: names.first { !$0.isEmpty })
  }
}

/// A text in both languages.
public struct Translated: Sendable, Hashable, Codable {
  /// English.
  public var en: String
  /// Japanese.
  public var ja: String

  /// Makes a text from both.
  public init(en: String, ja: String) {
    self.en = en
    self.ja = ja
  }

  /// The text in a language.
  public subscript(language: Language) -> String {
    switch language {
    case .en: en
    case .ja: ja
    }
  }
}
