/// What to do next about an error or a finding: a few ways, each in words and with a typed step.
///
/// It has no text for a shell: `OpenWOShell` makes one command line of a step.
package struct Advice: Sendable, Hashable {
  /// One way; the words lead to the step, or say all if there is none.
  package struct Way: Sendable, Hashable {
    /// What to do or to look for, in words; empty if the step alone says it.
    package var words: String
    /// What it comes down to.
    package var step: Step?
  }

  /// What a person does in one command.
  package enum Step: Sendable, Hashable {
    /// What an app can offer, too.
    case remedy(Remedy)
    /// Another call of the store.
    case call(NextCall)
    /// Something to do with files, or with the machine, by hand.
    case chore(Chore)
  }

  /// The caller's name for the database; nil if the step is to leave it out.
  package var database: DatabaseName?
  /// The ways, the best one first.
  package var ways: [Way]

  /// One way in words, with or without a step.
  package init(_ words: String, _ step: Step? = nil, on database: DatabaseName? = nil) {
    self.database = database
    ways = [Way(words: words, step: step)]
  }

  /// The same, and one more way.
  package func or(_ words: String, _ step: Step) -> Advice {
    var advice = self
    advice.ways.append(Way(words: words, step: step))
    return advice
  }

  /// What an app can offer of it, the best way first.
  package var remedies: [Remedy] { ways.compactMap { $0.step?.remedy } }
}

extension Advice.Step {
  /// What an app can offer in its place; nil if only a person at a terminal can do it.
  fileprivate var remedy: Remedy? {
    switch self {
    case .remedy(let remedy): remedy
    case .call(.merge(.version(let id))): .merge(id)
    case .call(.waitForDevice): .waitForService
    case .chore(.owner): .allowAccess
    case .chore(.space): .freeSpace
    case .chore(.share): .repair
    case .call, .chore: nil
    }
  }
}

/// Advice that names a step by the shortest word for it.
extension Advice {
  /// One way with a remedy.
  package init(_ words: String, _ remedy: Remedy, on database: DatabaseName? = nil) {
    self.init(words, .remedy(remedy), on: database)
  }

  /// One way with a call.
  package init(_ words: String, _ call: NextCall, on database: DatabaseName? = nil) {
    self.init(words, .call(call), on: database)
  }

  /// One way with a chore.
  package init(_ words: String, _ chore: Chore, on database: DatabaseName? = nil) {
    self.init(words, .chore(chore), on: database)
  }

  /// The same, and a way with a remedy.
  package func or(_ words: String, _ remedy: Remedy) -> Advice { or(words, .remedy(remedy)) }

  /// The same, and a way with a call.
  package func or(_ words: String, _ call: NextCall) -> Advice { or(words, .call(call)) }
}

extension StorePaths {
  /// The name of the database in a call.
  private var calledDatabase: DatabaseName { given ?? DatabaseName(database) }

  /// One way, with a remedy of this database.
  func next(_ words: String, _ remedy: Remedy) -> Advice {
    Advice(words, remedy, on: calledDatabase)
  }

  /// One way, with another call of this database.
  func next(_ words: String, _ call: NextCall) -> Advice {
    Advice(words, call, on: calledDatabase)
  }

  /// One way, with a chore around this database.
  func next(_ words: String, _ chore: Chore) -> Advice {
    Advice(words, chore, on: calledDatabase)
  }
}
