extension Version {
  /// The device of versions that follow from their parents alone.
  package static let settleDevice = "settle"

  /// Whether this one loses against the other one, when neither is an ancestor of the other.
  ///
  /// The later stamp wins, then the device id, the content hash and the id.
  package func loses(to other: Version) -> Bool {
    if at != other.at { return at < other.at }
    if device != other.device {
      return device.utf8.lexicographicallyPrecedes(other.device.utf8)
    }
    return (content, id) < (other.content, other.id)
  }

  /// The version in which the last writer wins: a pure function of its parents, in any order.
  ///
  /// Two devices that settle the same heads alone write the same file, byte for byte, with the payload `same`.
  ///
  /// - Parameters:
  ///   - parents: The heads to settle, none of them an ancestor of another.
  ///   - candidates: Those among the parents that may win; all of them if left out.
  ///   - stores: The ids of the stores that could not be joined; nil if the parents were not known to have begun apart.
  /// - Returns: The version, `settle` in device and reason.
  /// - Throws: ``HistoryError/malformed(_:)`` when there are no parents, or more than a version can have.
  package static func settle(
    parents: [Version], candidates: [Version]? = nil, keepingApart stores: [String]? = nil
  ) throws(HistoryError) -> Version {
    guard let winner = (candidates ?? parents).max(by: { $0.loses(to: $1) }),
      let latest = parents.map(\.at).max()
    else { throw .malformed("there is nothing to settle") }
    return try Version(
      facts: winner.facts, parents: parents.map(\.id), device: settleDevice,
      deviceName: settleDevice, at: latest.tick, reason: .settle,
      members: stores.map { [apart($0)] } ?? [])
  }

  /// The device of versions that bring the rows of their parents together.
  package static let mergeDevice = "merge"

  /// The version that holds the merged rows of its parents: with the same rows, the same on every device.
  ///
  /// - Parameters:
  ///   - parents: The versions whose rows it has.
  ///   - facts: The facts about the database.
  ///   - renumbered: The rows of the parents that have another number; nil if unknown.
  ///   - stores: The ids of the stores that it joins; nil if its parents are of one store.
  ///   - isPartial: Whether devices make it though versions that the parents come from have not arrived.
  ///   - isChosen: Whether a person decided something about it.
  /// - Returns: The version, `merge` in device and reason.
  /// - Throws: ``HistoryError/malformed(_:)`` when there are no parents, more than a version can have, or more rows than fit.
  package static func merge(
    parents: [Version], facts: ContentFacts, renumbered: RenumberedRows? = nil,
    joining stores: [String]? = nil, isPartial: Bool = false, isChosen: Bool = false
  ) throws(HistoryError) -> Version {
    guard let latest = parents.map(\.at).max() else {
      throw .malformed("there is nothing to merge")
    }
    let joined = stores.map(joins)
    guard renumbered?.fits(beside: joined) ?? true else {
      throw .malformed("it gave too many rows other numbers")
    }
    let marks = [isPartial ? Self.partial : nil, isChosen ? Self.chosen : nil]
    let members = ([renumbered?.member, joined] + marks).compactMap(\.self)
    return try Version(
      facts: facts, parents: parents.map(\.id), device: mergeDevice, deviceName: mergeDevice,
      at: latest.tick, reason: .merge, members: members)
  }

  /// The parents that a merge or a settlement brings together; nil for any other version.
  package var broughtTogether: [VersionID]? {
    [.merge, .settle].contains(reason) && !parents.isEmpty ? parents : nil
  }

  /// Whether this version wins over another one that resolves the same parents.
  ///
  /// A merge comes first, as it has the rows of all parents, and a settlement those of one. Then
  /// comes a version that says how its rows are numbered, as an earlier openwo took two new rows
  /// with one number for one row, and one that was made with all versions that its parents come
  /// from, as another one may bring back what was deleted in those. Then the lower id.
  func ranks(before other: Version) -> Bool {
    func rank(_ version: Version) -> Int {
      guard version.reason == .merge else { return 0 }
      return version.fields.unknown == nil ? 1 : version.isPartial ? 2 : 3
    }
    let (mine, others) = (rank(self), rank(other))
    return mine == others ? id < other.id : mine > others
  }
}
