/// The graph of versions and their parents, computed from the versions alone.
///
/// It is a value: the same versions give the same answers, in any order. Missing parents are
/// allowed and listed. Versions from files cannot form circles, since an id covers the ids of the
/// parents; even with a circle, nothing here runs forever.
///
/// Pruned versions, whose content is gone, are part of every path but are never returned if content
/// is needed.
package struct VersionGraph: Sendable {
  /// The versions, each once, the pruned ones among them; in no order.
  package internal(set) var versions: [Version]
  /// The parents that are named and not there, sorted.
  package internal(set) var missingParents: [VersionID]

  var indices: [VersionID: Int]
  /// For each version the places of its parents, and of its children.
  var parents, children: [[Int]]
  var isPruned: [Bool]

  /// Builds the graph; a version given twice counts once.
  ///
  /// Of the pruned ones only those count that a stored one was made from, directly or not.
  package init(_ stored: [Version], pruned: [Version] = []) {
    let gone = Self.ancestors(of: stored, among: pruned)
    var versions: [Version] = []
    versions.reserveCapacity(stored.count + gone.count)
    let all = stored + gone
    // Ids alone are sorted, as they are plain values.
    var last: VersionID?
    for (id, place) in all.indices.map({ (all[$0].id, $0) }).sorted(by: { $0.0 < $1.0 })
    where id != last {
      versions.append(all[place])
      last = id
    }
    isPruned = versions.map(Set(gone).contains)
    var indices: [VersionID: Int] = [:]
    indices.reserveCapacity(versions.count)
    for (index, version) in versions.enumerated() { indices[version.id] = index }
    var parents = [[Int]](repeating: [], count: versions.count)
    var children = parents
    var missing: Set<VersionID> = []
    for (child, version) in versions.enumerated() {
      for id in version.parents {
        guard let parent = indices[id] else {
          missing.insert(id)
          continue
        }
        guard parent != child else { continue }
        parents[child].append(parent)
        children[parent].append(child)
      }
    }
    self.versions = versions
    self.indices = indices
    (self.parents, self.children) = (parents, children)
    missingParents = missing.sorted()
  }

  /// The pruned versions that stored ones were made from, directly or not.
  private static func ancestors(of stored: [Version], among pruned: [Version]) -> [Version] {
    guard !pruned.isEmpty else { return [] }
    var unused = Dictionary(pruned.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for version in stored { unused[version.id] = nil }
    var waiting = stored.flatMap(\.parents)
    var found: [Version] = []
    while let id = waiting.popLast() {
      guard let version = unused.removeValue(forKey: id) else { continue }
      found.append(version)
      waiting += version.parents
    }
    return found
  }

  /// The version with the id, if it is there.
  package subscript(id: VersionID) -> Version? { indices[id].map { versions[$0] } }

  /// Whether it is known what the version was.
  package func contains(_ id: VersionID) -> Bool { indices[id] != nil }

  /// Whether the version is known, and its content is gone.
  package func isPruned(_ id: VersionID) -> Bool { indices[id].map { isPruned[$0] } ?? false }

  /// The versions that name this one as a parent, sorted by id.
  package func children(of id: VersionID) -> [Version] {
    let found = indices[id].map { children[$0].map { versions[$0] } } ?? []
    return found.sorted { $0.id < $1.id }
  }

  /// Whether no other version names this one as a parent.
  package func isHead(_ id: VersionID) -> Bool { indices[id].map { children[$0].isEmpty } ?? false }

  /// The versions that no other version names as a parent, sorted by id.
  ///
  /// A pruned version is none: a stored one was made from it.
  package var heads: [Version] {
    versions.indices.filter { children[$0].isEmpty && !isPruned[$0] }.map { versions[$0] }
      .sorted { $0.id < $1.id }
  }

  /// All versions that this one was made from, directly or not, without itself.
  package func ancestors(of id: VersionID) -> Set<VersionID> {
    guard let start = indices[id] else { return [] }
    let marks = reach(from: [start], along: parents)
    return Set(versions.indices.lazy.filter { marks[$0] && $0 != start }.map { versions[$0].id })
  }

  /// The versions that this one follows from, as far as they are named and not there.
  package func missingAncestors(of id: VersionID) -> Set<VersionID> {
    guard !missingParents.isEmpty, let start = indices[id] else { return [] }
    let marks = reach(from: [start], along: parents)
    let line = versions.indices.lazy.filter { marks[$0] }.flatMap { versions[$0].parents }
    return Set(line.filter { indices[$0] == nil })
  }

  /// Whether no ancestor of these versions is missing.
  package func hasAllAncestors(of versions: Version...) -> Bool {
    versions.allSatisfy { missingAncestors(of: $0.id).isEmpty }
  }

  /// Whether `id` is a proper ancestor of `other`; a version is none of itself.
  package func isAncestor(_ id: VersionID, of other: VersionID) -> Bool {
    guard id != other, let wanted = indices[id], let start = indices[other] else { return false }
    return reach(from: [start], along: parents, until: wanted)[wanted]
  }

  /// The common ancestors of two versions that are not ancestors of another common one, sorted by id.
  ///
  /// As `git merge-base --all` has it: a version counts as an ancestor of itself here, and after criss-cross merges
  /// there are several.
  package func nearestCommonAncestors(_ a: VersionID, _ b: VersionID) -> [Version] {
    guard let a = indices[a], let b = indices[b] else { return [] }
    let (ofA, ofB) = (reach(from: [a], along: parents), reach(from: [b], along: parents))
    let common = versions.indices.filter { ofA[$0] && ofB[$0] && !isPruned[$0] }
    let further = reach(from: common.flatMap { parents[$0] }, along: parents)
    return common.filter { !further[$0] }.map { versions[$0] }.sorted { $0.id < $1.id }
  }

  /// Marks all that can be reached along the edges, the start with it.
  func reach(from starts: [Int], along edges: [[Int]], until goal: Int? = nil) -> [Bool] {
    var marks = [Bool](repeating: false, count: versions.count)
    var waiting = starts
    for start in starts { marks[start] = true }
    while let index = waiting.popLast(), index != goal {
      for next in edges[index] where !marks[next] {
        marks[next] = true
        waiting.append(next)
      }
    }
    return marks
  }
}
