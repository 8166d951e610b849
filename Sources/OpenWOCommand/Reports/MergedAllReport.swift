import OpenWO
import OpenWOHistory

/// The report of `merge --all`.
struct MergedAllReport: Report {
  let database: DatabaseArgument
  let isDone: Bool
  /// The merges that were done or planned, in their order.
  var merged: [MergedReport] = []
  /// The sides that were refused, with what they are called.
  var refused: [(source: String, error: StoreError)] = []

  var members: [JSONMember] {
    [
      JSONMember("merges", .array(merged.map { .object(unsorted: $0.members) ?? .null })),
      JSONMember(
        "refused",
        .array(
          refused.map {
            .object([
              JSONMember("source", .string($0.source)),
              JSONMember("message", .string($0.error.message)),
            ])
          })),
      JSONMember("dryRun", .bool(!isDone)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    guard !merged.isEmpty || !refused.isEmpty else {
      return ["nothing waits to be merged into \(database.name)"]
    }
    let sides = merged.flatMap { $0.lines(style).filter { !$0.hasPrefix("undo: ") } }
    let left = refused.map { style.yellow("refused \($0.source): \($0.error.message)") }
    guard let before = merged.first(where: { $0.result?.version != nil })?.result?.previous else {
      return sides + left
    }
    return sides + left + ["undo all: \(database.command("restore", before.short))"]
  }
}
