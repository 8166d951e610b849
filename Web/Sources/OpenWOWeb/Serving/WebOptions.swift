public import OpenWOApp
public import SystemPackage

/// The options of `openwo-web`.
public struct WebOptions: Sendable {
  /// The databases that it shows besides those of apps.
  public var files: [FilePath] = []
  /// The app that it opens with.
  public var app: String?
  /// The port; 0: a free one.
  public var port = 0
  /// The language, whatever the browser asks for.
  public var language: Language?
  /// Whether it opens a browser.
  public var opensBrowser = true
  /// This device's state folder; nil: the default.
  public var stateFolder: FilePath?
  /// This device's name for others.
  public var deviceName: String?
  /// How long it runs without a request.
  public var idleLimit = Duration.seconds(1800)

  /// Takes the defaults.
  public init() {}

  /// The words are off.
  public struct WrongWord: Error {
    /// The error in one sentence.
    public let message: String
  }

  /// How it is called.
  public static let usage =
    "usage: openwo web [DATABASE | --app ID] [--port N] [--lang en|ja] [--no-open]"

  /// Reads the words of a command line.
  public init(words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--no-open": opensBrowser = false
      case "--": files += rest.map { FilePath($0) }; rest = []
      case _ where word.hasPrefix("--"):
        var value = rest.popFirst()
        var name = word
        if let equals = word.firstIndex(of: "=") {
          if let taken = value { rest = [taken] + rest }
          (name, value) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
        }
        guard let value else { throw WrongWord(message: "\(name) needs a value") }
        try take(name, value)
      default: files.append(FilePath(word))
      }
    }
  }

  private mutating func take(_ name: String, _ value: String) throws {
    switch name {
    case "--app": app = value
    case "--port":
      guard let number = Int(value), (0...65535).contains(number) else {
        throw WrongWord(message: "--port needs a number up to 65535")
      }
      port = number
    case "--lang":
      guard let found = Language(rawValue: value) else {
        throw WrongWord(message: "--lang needs en or ja")
      }
      language = found
    case "--state-dir": stateFolder = FilePath(value)
    case "--device-name": deviceName = value
    case "--idle":
      guard let seconds = Int64(value), seconds > 0 else {
        throw WrongWord(message: "--idle needs a number of seconds")
      }
      idleLimit = .seconds(seconds)
    default: throw WrongWord(message: "there is no option \(name)")
    }
  }
}
