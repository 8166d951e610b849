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
