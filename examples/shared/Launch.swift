public import ArgumentParser
import Foundation
import OpenWOApp
import SystemPackage

extension AsyncParsableCommand {
  /// Runs the program, and tells in Japanese, too, how it is used.
  ///
  /// - Parameter japanese: What `--help` shows in Japanese.
  public static func launch(_ japanese: String) async {
    do {
      var command = try parseAsRoot()
      if var program = command as? any AsyncParsableCommand {
        try await program.run()
      } else {
        try command.run()
      }
    } catch {
      guard asksInJapanese else { exit(withError: error) }
      let name = configuration.commandName ?? ""
      switch exitCode(for: error) {
      case .success where !Set(CommandLine.arguments).isDisjoint(with: ["-h", "--help"]):
        print(japanese)
        exit()
      case .validationFailure:
        let text = CommandLineMistake(message(for: error)).text
        Terminal.write("\(name): \(text)", to: .standardError)
        Terminal.write("使い方：\(name) --help", to: .standardError)
        exit(withError: ExitCode.validationFailure)
      default: exit(withError: error)
      }
    }
  }

  /// Whether the person speaks Japanese; what was typed may not be understood otherwise.
  private static var asksInJapanese: Bool {
    let words = CommandLine.arguments
    let option = words.last { $0.hasPrefix("--lang=") }?.dropFirst(7)
    let next = words.firstIndex(of: "--lang").flatMap { words.dropFirst($0 + 1).first }
    let asked = (option.map(String.init) ?? next).flatMap(Language.init(rawValue:))
    return (asked ?? Language(environment: ProcessInfo.processInfo.environment)) == .ja
  }
}
