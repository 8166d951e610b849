import Foundation

/// `openwo-fuzz TARGET [OPTIONS] [FOLDER…]` is libFuzzer on a target; `openwo-fuzz seeds FOLDER` makes what it begins with.
@main
struct Fuzzer {
  static func main() throws {
    let words = CommandLine.arguments
    if words.count == 3, words[1] == "seeds" {
      for target in FuzzTarget.allCases { try target.writeSeeds(under: words[2]) }
    } else if words.count > 1, let target = FuzzTarget(rawValue: words[1]) {
      // libFuzzer takes all words but the target.
      var count = CommandLine.argc - 1
      var arguments = CommandLine.unsafeArgv + 1
      _ = runLibFuzzer(&count, &arguments, target.entry)
    } else {
      print("targets: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
      exit(64)
    }
  }
}

/// libFuzzer as a library: generates inputs and calls the entry with each, until it is told to stop.
///
/// See <https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library>.
@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ entry: FuzzTarget.Entry
) -> CInt

/// Ends the process when something does not hold that must hold for every input.
func expect(_ holds: @autoclosure () throws -> Bool, _ what: @autoclosure () -> String) {
  do {
    if try !holds() { fatalError("does not hold: \(what())") }
  } catch {
    fatalError("cannot tell whether \(what()): \(error)")
  }
}
