import OpenWO
import OpenWOFiles

/// The values of `--policy`: a word for the whole store, and a rule for a table each.
struct PolicyWords {
  var settling: SettlePolicy?
  /// The rule for tables without one of their own.
  var rule: MergeRule?
  var rules: [String: MergeRule] = [:]

  /// Reads words such as `merge`, `newest` and `settings=singleton`; one word may hold several,
  /// separated by commas.
  init(_ words: [String], _ verb: String) throws {
    for word in words.flatMap({ $0.split(separator: ",") }) {
      guard let mark = word.lastIndex(of: "=") else {
        try take(String(word), verb)
        continue
      }
      let table = String(word[..<mark])
      guard let rule = MergeRule(rawValue: String(word[word.index(after: mark)...])),
        !table.isEmpty
      else { throw Self.refusal(String(word), verb) }
      rules[table] = rule
    }
  }

  private mutating func take(_ word: String, _ verb: String) throws {
    if verb == MergeVerb.name, let rule = MergeRule(rawValue: word), rule != .singleton {
      self.rule = rule
    } else if verb != MergeVerb.name, let settling = SettlePolicy(rawValue: word) {
      self.settling = settling
    } else {
      throw Self.refusal(word, verb)
    }
  }

  private static func refusal(_ word: String, _ verb: String) -> StoreError {
    let rules = MergeRule.allCases.map(\.rawValue).joined(separator: ", ")
    let whole =
      verb == MergeVerb.name
      ? "RULE" : SettlePolicy.allCases.map(\.rawValue).joined(separator: ", ")
    return .usage(
      "\(String(printable: word.utf8)) is not a policy: there are \(whole) and TABLE=RULE, with a RULE "
        + "of \(rules)", hint: "see how it is called: openwo help \(verb)")
  }
}

extension Invocation {
  /// The values of `--policy`: from the command line, else from its variable.
  func policy(_ given: [String]) throws -> PolicyWords {
    let words = given.isEmpty ? try text(nil, "policy").map { [$0] } ?? [] : given
    return try PolicyWords(words, verb)
  }
}
