import Dispatch
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The program: words in, a server, and a browser that is shown its address.
public enum WebProgram {
  /// Runs until the server ends; ends the process with a status when the words are off.
  public static func run() async {
    let options: WebOptions
    let words = Array(CommandLine.arguments.dropFirst())
    if ["-h", "--help"].contains(words.first) {
      say("\(WebOptions.usage)\nmore: openwo help web\n")
      return
    }
    do {
      options = try WebOptions(words: words)
    } catch {
      let message = (error as? WebOptions.WrongWord)?.message ?? "\(error)"
      complain("openwo-web: \(message)\n\(WebOptions.usage)\n")
      Ending.end(64)
    }
    do {
      try await WebServer(options) { address in
        say("\(address)\n")
        if options.opensBrowser { Browser.open(address) }
      }.run()
    } catch {
      complain("openwo-web: it could not listen on port \(options.port): \(error)\n")
      Ending.end(1)
    }
  }

  private static func say(_ text: String) {
    _ = try? FileDescriptor.standardOutput.writeAll(text.utf8)
  }

  private static func complain(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }
}
