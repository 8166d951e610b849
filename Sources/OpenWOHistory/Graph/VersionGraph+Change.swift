/// Adds and removes single versions without building the graph again.
extension VersionGraph {
  /// Adds a version; one that is there already changes nothing.
  package mutating func insert(_ version: Version) {
    if let place = indices[version.id], !isPruned[place] { return }
    guard indices[version.id] == nil, !missingParents.contains(version.id),
      version.parents.allSatisfy({ indices[$0].map { !isPruned[$0] } ?? false })
    else {
      // It completes what others were waiting for, or has parents that are not at hand.
      self = VersionGraph(living + [version], pruned: versions)
      return
    }
    let place = versions.count
    indices[version.id] = place
    parents.append(version.parents.compactMap { indices[$0] })
    for parent in parents[place] { children[parent].append(place) }
    children.append([])
    isPruned.append(false)
    versions.append(version)
  }

  /// Takes out a version from which no other one was made.
  package mutating func removeHead(_ id: VersionID) {
    guard let place = indices[id], children[place].isEmpty else { return }
    guard parents[place].count == versions[place].parents.count,
      parents[place].allSatisfy({ !isPruned[$0] })
    else {
      self = VersionGraph(
        living.filter { $0.id != id }, pruned: versions.filter { isPruned($0.id) })
      return
    }
    for parent in parents[place] { children[parent].removeAll { $0 == place } }
    indices[id] = nil
    move(versions.count - 1, to: place)
    versions.removeLast()
    parents.removeLast()
    children.removeLast()
    isPruned.removeLast()
  }

  private var living: [Version] { versions.filter { !isPruned($0.id) } }

  /// Lets the last version take a place that has become free.
  private mutating func move(_ last: Int, to place: Int) {
    guard last != place else { return }
    for parent in parents[last] {
      for index in children[parent].indices where children[parent][index] == last {
        children[parent][index] = place
      }
    }
    for child in children[last] {
      for index in parents[child].indices where parents[child][index] == last {
        parents[child][index] = place
      }
    }
    indices[versions[last].id] = place
    versions[place] = versions[last]
    parents[place] = parents[last]
    children[place] = children[last]
    isPruned[place] = isPruned[last]
  }
}
