import Foundation
import OpenWOCrash
import OpenWOFiles
import SystemPackage

/// The options of the command line.
struct Options {
  static let usage = """
    openwo-crash states [--seeds N] [--histories N] [--every N] [--first N]
    openwo-crash steps
    openwo-crash calls [--stride N] [--histories N] [--first N]
    openwo-crash kills [--kills N] [--first N]
    openwo-crash torn [--files N] [--edits N] [--first N]
    openwo-crash stress [--seconds N] [--processes N] [--parts A,B] [--first N]

      --verb TEXT   only the verbs whose names have this in them
      --every N     one in so many states is gone on from by the command; 4 if left out
      --threads N   how many cases at once; 4 if left out, in torn 2, in a stress 8, in states and kills 24
      --parts A,B   which of plain, rename and in-place take part in a stress
      --keep DIR    an existing folder for what a stress with a violation leaves
      --source DIR  where openwo's source is; the working folder if left out
    """

  private static let words: Set = ["verb", "parts", "source", "keep"]
  private static let numbers: Set = [
    "seeds", "histories", "first", "stride", "kills", "files", "edits", "seconds", "processes",
    "threads", "every",
  ]

  private let campaign: String
  private var values: [String: String] = [:]

  init?(_ campaign: String, _ arguments: some Sequence<String>) {
    let known = ["states", "steps", "calls", "kills", "torn", "stress"]
    guard known.contains(campaign) else { return nil }
    self.campaign = campaign
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      guard name.hasPrefix("--"), let value = rest.popFirst() else { return nil }
      let option = String(name.dropFirst(2))
      guard Self.words.contains(option) || Self.numbers.contains(option) && Int(value) != nil
      else { return nil }
      values[option] = value
    }
  }

  private func number(_ name: String, _ otherwise: Int) -> Int {
    values[name].flatMap(Int.init) ?? otherwise
  }

  func run() throws {
    let folder = try Temporary()
    let source = FilePath(values["source"] ?? ".").appending("Tests/CrashShim/shim.c")
    let programs = FilePath(CommandLine.arguments[0]).removingLastComponent()
    let tools = try Tools(programs: programs, source: source, in: folder.path)
    if campaign == "steps" {
      print(try states.listing(tools, folder.path))
      return
    }
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = try play(tools, folder.path)
    let seconds = Int((clock.now - start) / .seconds(1))
    for (name, count) in outcome.shares.sorted(by: { $0.key < $1.key }) {
      print("\(count)  \(name)")
    }
    for violation in outcome.violations.prefix(200) { print("VIOLATION \(violation)") }
    print("\(outcome.cases) cases, \(outcome.violations.count) violations, \(seconds) s")
    if !outcome.violations.isEmpty { exit(1) }
  }

  private var verbs: [Verb] {
    guard let wanted = values["verb"] else { return [] }
    return Verb.all.filter { $0.name.contains(wanted) }
  }

  private func play(_ tools: Tools, _ folder: FilePath) throws -> Outcome {
    switch campaign {
    case "calls":
      var calls = FailingCalls()
      calls.stride = max(1, number("stride", calls.stride))
      calls.histories = number("histories", calls.histories)
      calls.threads = number("threads", calls.threads)
      calls.first = UInt64(number("first", 1))
      calls.verbs = verbs
      return calls.outcome(tools, folder)
    case "kills":
      var kills = Kills()
      kills.kills = number("kills", kills.kills)
      kills.threads = number("threads", kills.threads)
      kills.seed = UInt64(number("first", 1))
      return kills.outcome(tools, folder)
    case "torn":
      var torn = TornFiles()
      torn.files = number("files", torn.files)
      torn.edits = number("edits", torn.edits)
      torn.threads = number("threads", torn.threads)
      torn.seed = UInt64(number("first", 1))
      return torn.outcome(folder)
    case "stress":
      var stress = Stress()
      stress.seconds = number("seconds", stress.seconds)
      stress.processes = number("processes", stress.processes)
      stress.threads = number("threads", stress.threads)
      stress.seed = UInt64(number("first", 1))
      stress.faults = values["keep"].map { FilePath($0) }
      if let parts = values["parts"] {
        stress.parts = Set(
          parts.split(separator: ",").compactMap { Stress.Part(rawValue: String($0)) })
      }
      return try stress.outcome(tools, folder)
    default: return states.outcome(tools, folder)
    }
  }

  private var states: CrashStates {
    var states = CrashStates()
    states.seeds = number("seeds", states.seeds)
    states.histories = number("histories", states.histories)
    states.threads = number("threads", states.threads)
    states.commandEvery = max(1, number("every", states.commandEvery))
    states.firstSeed = UInt64(number("first", 1))
    states.verbs = verbs
    return states
  }
}
