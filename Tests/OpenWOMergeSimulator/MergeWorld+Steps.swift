import Corpora
import Foundation
import OpenWO
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage

extension MergeWorld {
  func graph(_ device: MergeDevice) -> VersionGraph {
    VersionGraph(device.known.compactMap { versions[$0] })
  }

  /// Changes the live database of a device; what it changes is a version.
  func write(_ place: Int) throws {
    guard let (file, script) = try change(place) else { return }
    try capture(store(file), place, script)
  }

  /// Makes a version of what a device wrote.
  func capture(_ facts: ContentFacts, _ place: Int, _ script: String) throws {
    let device = devices[place]
    let made = try keep(
      facts, parents: family(of: device.current, on: device), device: device.name, reason: .write)
    devices[place].known.insert(made.id)
    devices[place].current = made
    tell("\(device.name) writes \(made.id.short) on \(device.current.id.short): \(script)")
  }

  /// A version and the heads that count as one with it.
  func family(of version: Version, on device: MergeDevice) -> [Version] {
    graph(device).family(of: version.id).compactMap { versions[$0] }
  }

  /// A changed copy of the live database of a device, and what changed it; nil if nothing did.
  func change(_ place: Int) throws -> (file: String, script: String)? {
    let file = newPath()
    try FileManager.default.copyItem(atPath: path(devices[place].current.content), toPath: file)
    let connection = try Self.open(file, .readWrite)
    var script = try script(rows(in: connection))
    // A store makes no version of a content that is its parent's.
    if script.isEmpty {
      connection.close()
      try FileManager.default.removeItem(atPath: file)
      return nil
    }
    // One device may revert to a content that another one had, and a store counts two versions of
    // one content as one.
    if hasEdits { script += "INSERT INTO w VALUES('\(newToken())');" }
    try connection.executeScript("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;" + script)
    connection.close()
    return (file, script)
  }

  private func script(_ rows: [Row]) throws -> String {
    var script = ""
    for _ in 0...random.below(2) {
      if hasEdits, !rows.isEmpty, random.chance(percent: 50) {
        let row = rows[random.below(rows.count)]
        if random.chance(percent: 60) {
          let note = "\(row.token)-\(written[row.token]?.count ?? 0)"
          written[row.token]?.insert(note)
          changed.insert(row.token)
          script += "UPDATE t SET note = '\(note)' WHERE token = '\(row.token)';"
        } else if !parents.values.contains(row.token) {
          deleted.insert(row.token)
          script += "DELETE FROM t WHERE token = '\(row.token)';"
        }
        continue
      }
      let token = newToken()
      written[token] = [token]
      let isChild = hasChildren && !rows.isEmpty && random.chance(percent: 50)
      if isChild {
        let parent = rows[random.below(rows.count)].token
        parents[token] = parent
        script +=
          "INSERT INTO c(t, token, note) SELECT id, '\(token)', '\(token)' FROM t WHERE token = '\(parent)';"
        // If the parent was deleted in the same write, there is nothing to refer to.
        if script.contains("DELETE FROM t WHERE token = '\(parent)'") { written[token] = nil }
      } else {
        script += "INSERT INTO t(token, note) VALUES ('\(token)', '\(token)');"
      }
    }
    return script
  }

  /// The rows of `t`, and with `c` those that point to them.
  func rows(in connection: Connection, withChildren: Bool = false) throws -> [Row] {
    var rows: [Row] = []
    _ = try connection.rows("SELECT token, note FROM t ORDER BY token") { row in
      rows.append(Row(token: try row.get(0), note: try row.get(1)))
    }
    guard withChildren, hasChildren else { return rows }
    _ = try connection.rows(
      "SELECT c.token, c.note, t.token FROM c LEFT JOIN t ON t.id = c.t ORDER BY c.token"
    ) { row in
      rows.append(
        Row(token: try row.get(0), parent: try row.get(2) ?? "nobody", note: try row.get(1)))
    }
    return rows
  }

  /// Brings some of what one device has to another one.
  func deliver(from: Int, to: Int, percent: Int) {
    let new = devices[from].known.subtracting(devices[to].known).sorted()
    for id in new where random.chance(percent: percent) {
      devices[to].known.insert(id)
      tell("\(id.short) comes to \(devices[to].name)")
    }
  }

  /// Does what a store with the policy `merge` does when it looks.
  func sync(_ place: Int) throws {
    while true {
      let graph = graph(devices[place])
      let heads = graph.effectiveHeads
      if heads.count == 1, let head = heads.first {
        if graph.hasAllAncestors(of: head.version) { devices[place].current = head.version }
        return
      }
      let complete = heads.filter { graph.hasAllAncestors(of: $0.version) }
      guard complete.count == heads.count, heads.count > 1 else { return }
      let made = try merge(heads[0], heads[1], graph, by: devices[place].name)
      devices[place].known.insert(made.id)
      devices[place].current = made
    }
  }

  private func merge(
    _ one: VersionGraph.EffectiveHead, _ other: VersionGraph.EffectiveHead, _ graph: VersionGraph,
    by device: String
  ) throws -> Version {
    let isSwapped = one.version.loses(to: other.version)
    let (first, second) =
      isSwapped ? (other.version, one.version) : (one.version, other.version)
    let lineage = Lineage(graph)
    let file = newPath()
    let bases = lineage.bases(of: first, and: second)
    let merge = RowMerge(
      lineage: lineage, contents: contents,
      options: { times, _ in MergeOptions(times: times, first: .ours) },
      checked: { connection, write in
        let report = try write()
        guard try connection.integrityCheck(limit: 1).isEmpty else { throw Damaged() }
        return report
      })
    let outcome = try merge.run(
      first: first, second: second, bases: bases, into: FilePath(file))
    let record = RenumberedRows([first.id: outcome.moves.ours, second.id: outcome.moves.theirs])
    // All whose rows come into the merge, but no late twin of what one of them left behind.
    let parents = [one, other].flatMap { head in
      head.members.filter { member in
        let isSameMerge =
          [member, head.version].allSatisfy { $0.reason == .merge }
          && member.broughtTogether == head.version.broughtTogether
        return member.content == head.version.content || isSameMerge
      }
    }
    let made = try keep(
      file, parents: Array(Set(parents)), device: "merge", reason: .merge, renumbered: record)
    tell(
      "\(device) merges \(first.id.short) and \(second.id.short) from "
        + "\(bases.map(\.id.short)): \(made.id.short) \(outcome.moves)")
    return made
  }

  struct Damaged: Error {}

  private var contents: RowMerge.Contents {
    RowMerge.Contents(
      holds: { FileManager.default.fileExists(atPath: self.path($0.content)) },
      open: { try Self.open(self.path($0.content), .readOnly) },
      copy: {
        try FileManager.default.copyItem(atPath: self.path($0.content), toPath: $1.string)
      },
      newPath: { FilePath(self.newPath()) },
      openPrivate: { path, isWriting in
        let connection = try Self.open(path.string, isWriting ? .readWrite : .readOnly)
        if isWriting { try connection.executeScript("PRAGMA synchronous = OFF") }
        return connection
      },
      copyPrivate: { try FileManager.default.copyItem(atPath: $0.string, toPath: $1.string) },
      remove: { try? FileManager.default.removeItem(atPath: $0.string) })
  }
}
