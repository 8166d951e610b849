import ArgumentParser
import OpenWO
import OpenWOShell

/// One verb of the command.
protocol Verb: ParsableCommand {
  /// The word for DATABASE, if one was given.
  var database: String? { get }
  var common: CommonOptions { get }
  /// Does what the verb is for.
  func perform(_ call: Invocation) throws -> Outcome
}

extension Verb {
  func run() throws {
    let call = try Invocation(Self.name, database: database, common, .own)
    let outcome = try perform(call)
    if let report = outcome.report {
      do {
        try call.tell(report, isRemark: outcome.isRemark)
      } catch let error as StoreError {
        throw StoreError(
          error.code, "\(Self.name) did what it is for, but \(error.message)",
          hint: "see whether all is well: \(try call.database().command("status"))")
      }
    }
    if let complaint = outcome.complaint { throw complaint }
    guard outcome.exit == .done else { throw outcome.exit }
  }

  static var name: String { configuration.commandName ?? "" }
}

/// The result of a verb: what to print, and the exit status.
struct Outcome {
  /// The report to print; nil if the verb has written its result itself.
  var report: (any Report)?
  var exit = ExitCode.done
  /// Whether the text goes to standard error, because the result on standard output is another program's.
  var isRemark = false
  /// The error to print after the report; it decides the status.
  var complaint: StoreError?
}

extension CommandConfiguration {
  /// A verb with its help.
  ///
  /// - Parameters:
  ///   - commandName: The verb.
  ///   - abstract: One line for the list of verbs.
  ///   - usage: What follows the verb.
  ///   - details: More for the verb's own help; lines are joined to paragraphs.
  ///   - examples: Calls as people type them.
  init(
    commandName: String, abstract: String, usage: String = "[<database>] [<options>]",
    details: String = "", examples: [String] = []
  ) {
    var paragraphs: [String] = []
    if !details.isEmpty {
      paragraphs.append(Self.joined(details))
    }
    if !examples.isEmpty {
      paragraphs.append((["examples:"] + examples.map { "  \($0)" }).joined(separator: "\n"))
    }
    self.init(
      commandName: commandName, abstract: abstract, usage: "openwo \(commandName) \(usage)",
      discussion: paragraphs.joined(separator: "\n\n"))
  }

  /// Lines as one; on bytes, because every call of a verb comes by here.
  private static func joined(_ lines: String) -> String {
    var bytes: [UInt8] = []
    for byte in lines.utf8 {
      if byte != UInt8(ascii: "\n") {
        bytes.append(byte)
      } else if bytes.last != UInt8(ascii: " ") {
        bytes.append(UInt8(ascii: " "))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ArgumentHelp {
  /// The help of DATABASE.
  static let database: ArgumentHelp =
    "The database; else $OPENWO_DB, else the one store in the working folder."
}
