/// A language that texts are there in.
public enum Language: String, Sendable, Hashable, Codable, CaseIterable {
  /// English.
  case en
  /// Japanese.
  case ja

  /// The language of a locale's name such as `ja_JP.UTF-8`; English for all that is not Japanese.
  public init(locale: String?) {
    self = locale?.hasPrefix("ja") == true ? .ja : .en
  }
}

extension Language {
  /// The language that a process was started with: of `LC_ALL`, `LC_MESSAGES` and `LANG` the first that says anything.
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

  /// Takes both.
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
