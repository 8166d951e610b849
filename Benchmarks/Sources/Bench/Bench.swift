import CPeers
import Foundation

/// Runs the groups that are named, or all.
///
/// Usage: `Bench [group…] [--short] [--case NAME] [--data DIR] [--work DIR] [--results DIR] [--command OPENWO]`.
@main
struct Bench {
  static let groups: [(name: String, run: @Sendable (Context) throws -> Void)] = [
    ("wrapper", WrapperGroup.run), ("commits", CommitsGroup.run), ("versions", VersionsGroup.run),
    ("restore", RestoreGroup.run), ("diff", DiffGroup.run), ("merge", MergeGroup.run),
    ("command", CommandGroup.run), ("locks", LocksGroup.run), ("reconcile", ReconcileGroup.run),
    ("copies", CopiesGroup.run), ("watch", WatchGroup.run),
  ]

  static func main() throws {
    peers_buffer_lines()
    var (options, wanted, isShort) = ([String: String](), [String](), false)
    var words = Array(CommandLine.arguments.dropFirst())[...]
    while let word = words.popFirst() {
      switch word {
      case "--short": isShort = true
      case "--child": return try ChildTasks.run(Array(words))
      case let word where word.hasPrefix("--"): options[word] = words.popFirst()
      default: wanted.append(word)
      }
    }
    peers_keep_memory()
    let here = FileManager.default.currentDirectoryPath
    let context = Context(
      data: options["--data"] ?? "\(here)/.data", work: options["--work"] ?? "\(here)/.work",
      command: options["--command"], isShort: isShort, report: Report())
    for name in wanted where !groups.contains(where: { $0.name == name }) {
      throw Child.Failure(
        description: "no group \(name) among: " + groups.map(\.name).joined(separator: ", "))
    }
    try FileManager.default.createDirectory(atPath: context.data, withIntermediateDirectories: true)
    _ = try context.folder("")
    print(Outcome.head)
    Comparison.$only.withValue(options["--case"]) {
      for group in groups where wanted.isEmpty || wanted.contains(group.name) {
        do { try group.run(context) } catch { context.report.skip(group.name, "\(error)") }
      }
    }
    let results = options["--results"] ?? here
    if options["--case"] == nil { try context.report.write(to: results) }
  }
}
