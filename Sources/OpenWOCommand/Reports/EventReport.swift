import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell

/// The report of `watch` for one event.
struct EventReport: Report {
  let event: StoreEvent
  let at: Timestamp

  var members: [JSONMember] {
    [JSONMember("at", .time(at)), JSONMember("event", .string(name))] + details
  }

  /// The event in one word.
  var name: String {
    switch event {
    case .imported: "imported"
    case .captured: "captured"
    case .published: "published"
    case .settled: "settled"
    case .joined: "joined"
    case .locked: "locked"
    case .unlocked: "unlocked"
    case .repaired: "repaired"
    case .problem: "problem"
    }
  }

  private var details: [JSONMember] {
    switch event {
    case .imported(let version, let changes):
      [
        JSONMember("version", .id(version)),
        JSONMember("changes", .array(changes.map { .change($0) })),
      ]
    case .captured(let version, let reason):
      [JSONMember("version", .id(version)), JSONMember("reason", .string(reason.rawValue))]
    case .published(let version): [JSONMember("version", .id(version))]
    case .settled(let winner, let losers, let setAside):
      [
        JSONMember("winner", .id(winner)),
        JSONMember("losers", .array(losers.map { .id($0) })),
        JSONMember("setAside", .array(setAside.map { .setAside($0) })),
      ]
    case .joined(let version, let stores):
      [JSONMember("version", .id(version)), JSONMember("stores", .texts(stores))]
    case .locked(let lock): [JSONMember("lock", .lock(lock))]
    case .unlocked(let lock): [JSONMember("lockID", .string(lock))]
    case .repaired(let version, let reason):
      [JSONMember("version", .id(version)), JSONMember("reason", .string(reason))]
    case .problem(let error):
      [
        JSONMember("error", .string(error.code.description)),
        JSONMember("message", .string(error.message)), JSONMember("hint", .string(error.hint)),
      ]
    }
  }

  func lines(_ style: Style) -> [String] {
    let time = style.second(at)
    let blank = String(repeating: " ", count: time.count + 2)
    if case .problem(let error) = event {
      return ["\(time)  \(style.red("problem")): \(error.message)", "\(blank)hint: \(error.hint)"]
    }
    guard case .settled(_, _, let setAside) = event else { return ["\(time)  \(sentence)"] }
    return ["\(time)  \(sentence)"] + setAside.map { "\(blank)\($0.sentence(style))" }
  }

  private var sentence: String {
    switch event {
    case .imported(let version, let changes):
      "took over version \(version.short)\(Self.tables(changes))"
    case .captured(let version, let reason): "kept version \(version.short) (\(reason.rawValue))"
    case .published(let version): "published version \(version.short)"
    case .settled(let winner, let losers, _):
      "settled: kept \(winner.short), set aside \(losers.map(\.short).joined(separator: ", "))"
    case .joined(let version, _):
      "joined what two devices had begun apart, version \(version.short) has the rows of both"
    case .locked(let lock): "locked for editing by \(lock.holder)"
    case .unlocked: "unlocked"
    case .repaired(let version, let reason):
      "put back the database as version \(version.short): \(String(printable: reason.utf8))"
    case .problem: ""
    }
  }

  private static func tables(_ changes: [TableChange]) -> String {
    guard !changes.isEmpty else { return "" }
    return ": "
      + changes.map { change in
        if change.notCompared != nil { return "\(String(printable: change.table.utf8)) ?" }
        let counts = [(change.inserted, "+"), (change.updated, "~"), (change.deleted, "-")]
          .filter { $0.0 > 0 }.map { "\($0.1)\($0.0)" }.joined(separator: " ")
        return "\(String(printable: change.table.utf8)) \(counts)"
      }.joined(separator: ", ")
  }
}
