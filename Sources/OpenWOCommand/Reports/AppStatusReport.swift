import OpenWOApp
import OpenWOFiles
import OpenWOHistory

/// The report of `status --lang`: the state of syncing in the words of an app.
struct AppStatusReport: Report {
  let state: SyncState
  let language: Language

  var members: [JSONMember] {
    [
      JSONMember("activeStore", .string(state.activeStore.rawValue)),
      JSONMember("availability", .string(state.availability.rawValue)),
      JSONMember("network", .string(state.network.rawValue)),
      JSONMember("status", .string(state.status.rawValue)),
      JSONMember("lastLocalSaveAt", .time(state.lastLocalSaveAt)),
      JSONMember("lastCheckedAt", .time(state.lastCheckedAt)),
      JSONMember("lastError", .text(state.lastError?.rawValue)),
      JSONMember("lockedBy", .text(state.lockedBy)),
      JSONMember(
        "seenBy",
        .array(
          state.seenBy.map {
            .object([JSONMember("device", .string($0.device)), JSONMember("at", .time($0.at))])
          })), JSONMember("texts", .texts(texts(minutesEast: 0))),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let moment = state.lastCheckedAt ?? Timestamp(milliseconds: 0)
    return texts(minutesEast: Terminal.minutesEast(at: moment.milliseconds))
  }

  private func texts(minutesEast: Int64) -> [String] {
    var profile = AppProfile(app: "", localFile: "", syncedFile: "")
    profile.wording = .folder
    return SyncSection(state, profile, language, minutesEast: minutesEast).rows
      .filter { $0.kind != .action }
      .map { row in
        String(printable: (row.value.map { "\(row.title): \($0)" } ?? row.title).utf8)
      }
  }
}
