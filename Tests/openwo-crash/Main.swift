import Foundation
import OpenWO
import OpenWOCrash
import OpenWOFiles
import SystemPackage

/// `openwo-crash`: stops, failing calls and kills, in their long forms; and the app that they are played with.
@main
struct Main {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let first = words.first else { usage() }
    if let app = App(words) {
      do {
        try app.run()
      } catch {
        print("openwo: error: \(error)")
        exit(1)
      }
      return
    }
    if first == "stress-app" {
      try StressApp(Array(words.dropFirst())).run()
      return
    }
    guard let options = Options(first, words.dropFirst()) else { usage() }
    try options.run()
  }

  private static func usage() -> Never {
    print(Options.usage)
    exit(64)
  }
}
