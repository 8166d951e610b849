import Foundation

/// Gathers the lines, says them as they come, and writes the table and the JSON.
final class Report {
  private(set) var outcomes: [Outcome] = []
  private(set) var missing: [(group: String, why: String)] = []

  func add(_ comparison: Comparison) {
    for outcome in comparison.outcomes {
      outcomes.append(outcome)
      print(outcome.row)
    }
  }

  func skip(_ group: String, _ why: String) {
    missing.append((group, why))
    print("| \(group): not measured: \(why) |")
  }

  var markdown: String {
    var text =
      "# Benchmarks\n\nEvery figure is the median of its rounds; ratios are taken within a round. "
      + "CPU is that of all threads.\n"
    var groups: [String] = []
    for outcome in outcomes where !groups.contains(outcome.group) { groups.append(outcome.group) }
    for group in groups {
      text += "\n## \(group)\n\n\(Outcome.head)\n"
      for outcome in outcomes where outcome.group == group { text += outcome.row + "\n" }
    }
    if !missing.isEmpty { text += "\n## Not measured\n\n" }
    for (group, why) in missing { text += "- \(group): \(why)\n" }
    return text
  }

  func write(to folder: String) throws {
    struct Document: Codable {
      var schema = "openwo-benchmarks/1"
      var results: [Outcome]
      var notMeasured: [String]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let document = Document(
      results: outcomes, notMeasured: missing.map { "\($0.group): \($0.why)" })
    try encoder.encode(document).write(to: URL(filePath: "\(folder)/results.json"))
    try Data(markdown.utf8).write(to: URL(filePath: "\(folder)/results.md"))
  }
}
