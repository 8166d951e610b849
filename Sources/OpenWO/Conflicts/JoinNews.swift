import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Tells that stores which began apart were joined.
struct JoinNews: StorePart {
  let store: Store

  /// Reports once that stores were joined, when the live file has the rows of all and somebody
  /// listens.
  func tell() throws {
    guard events.hasListeners else { return }
    let graph = try versions.listed().graph
    let beginnings = Beginnings(graph)
    guard beginnings.areSeveral, let current = workingCopy.current,
      let last = last(graph, behind: current)
    else { return }
    let begun = Set(beginnings.of(last.id).map(\.id))
    let told = try CompanionFile.read(Set<VersionID>.self, at: state.joined, files) ?? []
    guard !begun.isSubset(of: told) else { return }
    try CompanionFile.write(told.union(begun), to: state.joined, files)
    events.send(.joined(last.id, stores: graph.stores(of: [last])))
  }

  /// The last version that joined stores, of those that a version follows from, while it is news.
  func last(_ graph: VersionGraph, behind id: VersionID) -> Version? {
    Beginnings(graph).joins(behind: id).filter {
      now.milliseconds.minus($0.madeAt.milliseconds) < Self.newsTime
    }.max { $0.loses(to: $1) }
  }

  /// How long a join is reported, in milliseconds.
  private static var newsTime: Int64 { 7 * 86_400_000 }
}
