import ExampleShared

/// How one exercise of a session went.
enum Outcome: Hashable {
  /// Done, with this weight; nil: none, or that of the last time.
  case done(Double?)
  /// Tried, with this weight, and not managed.
  case failed(Double?)
  case leftOut

  /// Reads a word: `60`, `62.5`, `60x` for one that failed, `x` for one that failed without a weight, `-` for one left out.
  init(_ word: String) throws {
    if word == "-" {
      self = .leftOut
    } else if word == "x" {
      self = .failed(nil)
    } else if word.hasSuffix("x") {
      self = .failed(try Outcome.weight(word.dropLast()))
    } else {
      self = .done(try Outcome.weight(word[...]))
    }
  }

  private static func weight(_ word: Substring) throws -> Double {
    guard let weight = Double(word.replacing(",", with: ".")), weight.isFinite, weight >= 0 else {
      throw Mistake(en: "'\(word)' is no weight", ja: "「\(word)」は重量ではありません。")
    }
    return weight
  }
}
