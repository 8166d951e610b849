/// Versions that began a store, and contents that travelled faster than their versions.
extension VersionGraph {
  /// More stores than ever began apart in one folder: the rest is left to the rules of heads.
  private static var mostBeginnings: Int { 64 }

  /// The places of the versions that began a store, the oldest first.
  var beginnings: [Int] {
    let found = versions.indices.filter { versions[$0].reason == .create }
    return Array(
      found.sorted { versions[$0].loses(to: versions[$1]) }.prefix(Self.mostBeginnings))
  }

  /// For each version, one bit for each of the beginnings that it follows from.
  func marks(_ beginnings: [Int], along children: [[Int]]) -> [UInt64] {
    var marks = [UInt64](repeating: 0, count: versions.count)
    for (bit, start) in beginnings.enumerated() {
      for (place, isReached) in reach(from: [start], along: children).enumerated() where isReached {
        marks[place] |= 1 << UInt64(bit)
      }
    }
    return marks
  }

  /// The places of each version's parents, but that a twin of another store's version follows from that one.
  ///
  /// A device may find a content before the version comes that says from which store it is. What the device took for its parent is a guess then,
  /// and the version that came later is the answer.
  var knownParents: [[Int]] {
    let beginnings = beginnings
    guard beginnings.count > 1 else { return parents }
    let found = versions.indices.filter { versions[$0].doubt > 0 }
    guard !found.isEmpty else { return parents }
    let contents = Set(found.map { versions[$0].content })
    let twins = Dictionary(
      grouping: versions.indices.filter { contents.contains(versions[$0].content) }
    ) { versions[$0].content }
    let marks = marks(beginnings, along: children)
    var known = parents
    for place in found {
      let origins = (twins[versions[place].content] ?? []).filter { other in
        marks[other] != 0 && marks[other] & marks[place] == 0 && !versions[other].isDerived
          && versions[place].isLikelierFound(than: versions[other])
          && !isAncestor(versions[place].id, of: versions[other].id)
      }
      if let origin = origins.min(by: { versions[$0].loses(to: versions[$1]) }) {
        known[place] = [origin]
      }
    }
    return known
  }

  /// The places of the versions from which each version's rows come; a twin follows from the
  /// version of which it is a twin.
  ///
  /// A file that a service delivered before its version has that version's rows under the same
  /// numbers, even if the service wrote into the live file. The same holds for files of one content
  /// that several devices found, such as a conflict copy: their rows all come from one of them.
  var rowParents: [[Int]] {
    var known = knownParents
    let found = versions.indices.filter {
      versions[$0].doubt > 0 && known[$0] == parents[$0]
    }.sorted { versions[$0].loses(to: versions[$1]) }
    guard !found.isEmpty else { return known }
    let contents = Set(found.map { versions[$0].content })
    let twins = Dictionary(
      grouping: versions.indices.filter {
        !versions[$0].isDerived && contents.contains(versions[$0].content)
      }
    ) { versions[$0].content }
    for place in found {
      let origins = (twins[versions[place].content] ?? []).filter {
        versions[place].isLikelierFound(than: versions[$0])
      }
      guard let origin = origins.min(by: { versions[$0].loses(to: versions[$1]) }) else { continue }
      // One may have been made from the other, and known by way of further twins.
      let isFree =
        !reach(from: [origin], along: known, until: place)[place]
        && !reach(from: [place], along: known, until: origin)[origin]
      if isFree { known[place] = [origin] }
    }
    return known
  }
}

extension Version {
  /// Whether this version was found, and the other one, with the same content, was written on the
  /// device that captured it.
  fileprivate func isLikelierFound(than other: Version) -> Bool {
    let (mine, others) = (doubt, other.doubt)
    if mine != others { return mine > others }
    return mine > 1 && other.loses(to: self)
  }

  /// How doubtful it is that a version's content was made on the device that captured it.
  fileprivate var doubt: Int {
    guard reason == .external else { return isDelivered ? 1 : 0 }
    if parents.isEmpty || isDelivered && note != nil { return 3 }
    return isDelivered ? 2 : 1
  }
}
