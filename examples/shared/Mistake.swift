public import OpenWOApp

/// Something that the person asked for and that cannot be.
public struct Mistake: Error, CustomStringConvertible, Hashable {
  /// The text for the person.
  public let words: Translated

  /// In English, for who prints it without asking for a language.
  public var description: String { words.en }

  /// Takes a text of the app's.
  public init(_ words: Translated) {
    self.words = words
  }

  /// Takes the text in both languages.
  public init(en: String, ja: String) {
    words = Translated(en: en, ja: ja)
  }
}
