public import OpenWOHistory

/// An error of a store: a code to branch on, a sentence, and what to do next.
///
/// The sentence says whether the data is safe if that is in question. An app shows the remedies as
/// buttons; the command and the page of `openwo web` make a line for a terminal of them.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A code that programs branch on; new codes may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    enum Name: String, Sendable, CaseIterable {
      case io, noStore, traces, locked, busy, notYourLock, lockLost, damaged, notADatabase
      case newerFormat, newerSchema, unavailable, notPermitted, otherStore, noSpace
      case brokenReferences, setAside, inDoubt, noSuchVersion, notRestorable, nested, usage
      case mergeRefused, timeLimit, noSuchProgram, headMoved, unmerged, copyNotWhole
    }

    let name: Name

    init(_ name: Name) {
      self.name = name
    }

    /// All codes, for tests of what has to be there for each.
    package static var all: [Code] { Name.allCases.map { Code($0) } }

    /// The code's name in JSON.
    public var description: String { name.rawValue }

    /// Reading or writing failed for a reason without a code of its own.
    public static let io = Code(.io)
    /// There is no store here.
    public static let noStore = Code(.noStore)
    /// Refused to create a database, as there are traces of one.
    public static let traces = Code(.traces)
    /// Somebody else holds the lock.
    public static let locked = Code(.locked)
    /// Another program has the file in a transaction.
    public static let busy = Code(.busy)
    /// The lock is not yours, or there is none.
    public static let notYourLock = Code(.notYourLock)
    /// The lock was ended by somebody else, or expired, while it was held.
    public static let lockLost = Code(.lockLost)
    /// The file is damaged.
    public static let damaged = Code(.damaged)
    /// The file is not a SQLite database.
    public static let notADatabase = Code(.notADatabase)
    /// Written by a newer openwo.
    public static let newerFormat = Code(.newerFormat)
    /// Written by a newer version of the app.
    public static let newerSchema = Code(.newerSchema)
    /// The folder or the file is not there.
    public static let unavailable = Code(.unavailable)
    /// The folder or the file may not be read or written.
    public static let notPermitted = Code(.notPermitted)
    /// The path leads to another store than before.
    public static let otherStore = Code(.otherStore)
    /// No space is left.
    public static let noSpace = Code(.noSpace)
    /// An edit left rows that point at rows that do not exist.
    public static let brokenReferences = Code(.brokenReferences)
    /// A write is kept as a version, but another state of the database is the live one.
    public static let setAside = Code(.setAside)
    /// It is unknown whether a commit took place.
    public static let inDoubt = Code(.inDoubt)
    /// No version, or more than one, has this name.
    public static let noSuchVersion = Code(.noSuchVersion)
    /// Part of a version's content is missing.
    public static let notRestorable = Code(.notRestorable)
    /// A read or write was started inside another one.
    public static let nested = Code(.nested)
    /// Two states cannot be merged row by row; nothing was written.
    public static let mergeRefused = Code(.mergeRefused)
    /// Another version is live than the expected one; nothing was changed.
    public static let headMoved = Code(.headMoved)
    /// A kept content is not in the database and would be lost or out of sight; nothing was
    /// changed.
    public static let unmerged = Code(.unmerged)
    /// A conflict copy is not whole, so it could not be captured.
    public static let copyNotWhole = Code(.copyNotWhole)
    /// The call took longer than its time limit.
    public static let timeLimit = Code(.timeLimit)
    /// The program to edit with was not found.
    public static let noSuchProgram = Code(.noSuchProgram)
    /// The arguments are invalid.
    public static let usage = Code(.usage)
  }

  /// The code.
  public var code: Code
  /// What happened, in one sentence without a full stop.
  public var message: String
  /// For `mergeRefused`: whether another device may be able to do it, as it has other functions, collations or modules.
  var isOfThisDevice = false
  /// What to do next in words and typed steps, for a terminal; nil if only the remedies say it.
  package var advice: Advice?
  /// What to do next in an app, the best way first; never empty.
  public var remedies: [Remedy]
  /// The lock in the way, for `locked`, `notYourLock` and `lockLost`.
  public var lock: StoreLock?
  /// The version that holds the data in question, for `setAside` and `lockLost`.
  public var version: VersionID?

  /// Makes an error from its parts; without remedies, it has those that are usual for its code.
  public init(
    _ code: Code, _ message: String, remedies: [Remedy] = [], lock: StoreLock? = nil,
    version: VersionID? = nil
  ) {
    self.init(
      code, message, advice: nil, remedies: remedies, lock: lock, version: version)
  }

  /// Makes an error with advice for a terminal.
  package init(
    _ code: Code, _ message: String, advice: Advice?, remedies: [Remedy] = [],
    lock: StoreLock? = nil, version: VersionID? = nil
  ) {
    self.code = code
    self.message = message
    self.advice = advice
    self.remedies =
      remedies.isEmpty ? Remedy.usual(for: code, lock: lock, version: version) : remedies
    self.lock = lock
    self.version = version
  }

  /// Code and sentence.
  public var description: String { "\(code): \(message)" }
}

extension StoreError.Code {
  /// In a pattern, a code matches the errors with that code.
  public static func ~= (pattern: StoreError.Code, error: any Error) -> Bool {
    (error as? StoreError)?.code == pattern
  }
}
