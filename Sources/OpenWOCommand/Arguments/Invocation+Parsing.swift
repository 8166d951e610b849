import OpenWO

/// Reading the command line: `openwo VERB [DATABASE] [more] [options] [-- words]`.
extension Invocation {
  /// What the words ask for.
  enum Request {
    case run(Invocation)
    /// The help of a verb, or of the whole command.
    case help(Verb?)
  }

  /// Takes the words apart.
  ///
  /// - Throws: `usage` when they make no sense.
  static func parse(_ words: [Word], _ surroundings: Surroundings) throws -> Request {
    var parts = Parts()
    try parts.read(words)
    if parts.given[Option.version.name] != nil, parts.verb == nil { parts.verb = .version }
    guard let verb = parts.verb else {
      if let option = parts.given.keys.first(where: { $0 != Option.help.name }) {
        throw StoreError.usage("--\(option) needs a verb", hint: "see all verbs: openwo help")
      }
      return .help(try parts.helpTopic())
    }
    if parts.given[Option.help.name] != nil { return .help(verb) }
    try check(parts, verb)
    return .run(
      Invocation(
        verb: verb, operands: parts.operands, trailing: parts.trailing, given: parts.given,
        surroundings))
  }

  private static func check(_ parts: Parts, _ verb: Verb) throws {
    let most = verb.operands.count + (verb.takesDatabase ? 1 : 0)
    guard parts.operands.count <= most else {
      throw StoreError.usage(
        "\(parts.operands[most].printable) is one word too many for \(verb.name)",
        hint: "see how it is called: openwo help \(verb.name)")
    }
    guard parts.operands.count >= verb.operands.count else {
      let missing = verb.operands[parts.operands.count...].joined(separator: " ")
      throw StoreError.usage(
        "\(verb.name) needs a \(missing)", hint: "see how it is called: openwo help \(verb.name)")
    }
  }

  /// The words sorted by what they are.
  private struct Parts {
    var verb: Verb?
    /// The first word was `help`.
    var asksForHelp = false
    var operands: [Word] = []
    var trailing: [Word]?
    var given: [String: Word] = [:]

    private var options: [Option] { verb?.allOptions ?? Option.common + [.version] }

    mutating func read(_ words: [Word]) throws {
      var rest = words[...]
      while let word = rest.popFirst() {
        if word == Word("--") {
          readTrailing(rest)
          return
        } else if word.bytes.starts(with: "--".utf8) {
          try readLong(word, &rest)
        } else if word.bytes.first == UInt8(ascii: "-"), word.bytes.count > 1 {
          try readShort(word, &rest)
        } else {
          try readOperand(word)
        }
      }
    }

    private mutating func readOperand(_ word: Word) throws {
      if verb != nil || asksForHelp {
        operands.append(word)
      } else if word == Word("help") {
        asksForHelp = true
      } else if let found = Verb.named(word.text) {
        verb = found
      } else {
        throw StoreError.unknownVerb(word)
      }
    }

    /// Behind `--` nothing is an option; for a verb that runs no program the words are its operands.
    private mutating func readTrailing(_ rest: ArraySlice<Word>) {
      if verb?.trailing == nil {
        operands += rest
      } else {
        trailing = Array(rest)
      }
    }

    private mutating func readLong(_ word: Word, _ rest: inout ArraySlice<Word>) throws {
      let (name, value) = word.optionParts
      guard let option = options.first(where: { "--\($0.name)" == name }) else {
        throw unknown(Word(name))
      }
      guard option.value == nil else {
        return try take(option, value ?? rest.popFirst())
      }
      guard value == nil else {
        throw StoreError.usage(
          "--\(option.name) takes no value", hint: "see what it takes: openwo help \(topic)")
      }
      given[option.name] = Word([])
    }

    /// One letter after another; the value of the last one may follow at once.
    private mutating func readShort(_ word: Word, _ rest: inout ArraySlice<Word>) throws {
      var letters = word.bytes.dropFirst()
      while let letter = letters.popFirst() {
        let name = Word([letter])
        guard let option = options.first(where: { $0.short == name.text }) else {
          throw unknown(word)
        }
        guard option.value == nil else {
          return try take(option, letters.isEmpty ? rest.popFirst() : Word(Array(letters)))
        }
        given[option.name] = Word([])
      }
    }

    private mutating func take(_ option: Option, _ value: Word?) throws {
      guard let value, !value.bytes.isEmpty else {
        throw StoreError.usage(
          "--\(option.name) needs a value", hint: "see what it takes: openwo help \(topic)")
      }
      given[option.name] = value
    }

    private var topic: String { verb?.name ?? "" }

    private func unknown(_ word: Word) -> StoreError {
      guard let verb else {
        return .usage(
          "there is no option \(word.printable) before a verb",
          hint: "see all verbs: openwo help")
      }
      return .usage(
        "\(verb.name) has no option \(word.printable)",
        hint: "see its options: openwo help \(verb.name)")
    }

    func helpTopic() throws -> Verb? {
      guard let word = operands.first else { return nil }
      guard let verb = Verb.named(word.text) else { throw StoreError.unknownVerb(word) }
      return verb
    }
  }
}

extension StoreError {
  fileprivate static func unknownVerb(_ word: Word) -> StoreError {
    .usage("there is no verb \(word.printable)", hint: "see all verbs: openwo help")
  }
}
