import OpenWO
import OpenWOHistory

/// Words for the story: contents as `c3`, versions as `v2`.
extension World {
  func words(_ id: VersionID) -> String { number(id).map { "v\($0)" } ?? "v?" }

  private func words(_ ids: some Sequence<VersionID>) -> String {
    "[" + ids.map(words).sorted().joined(separator: " ") + "]"
  }

  private func words(_ time: Timestamp) -> String { "\(time.milliseconds - 1_790_000_000_000)" }

  private func words(_ content: ContentHash) -> String { "c\(pool.number(content) ?? -1)" }

  func words(_ version: Version) -> String {
    let at = "\(version.at.milliseconds - 1_790_000_000_000).\(version.at.counter)"
    return "\(words(version.content)) \(version.reason) from \(words(version.parents)) at \(at)"
  }

  func words(_ seen: Sighting) -> String {
    let live =
      switch seen.live {
      case .whole(let content, let since): "\(words(content)) since \(words(since))"
      case .missing(let since): "nothing since \(words(since))"
      case .doubtful(let why, let since): "\(why) since \(words(since))"
      case .unreadable(let why): "\(why)"
      case .changing: "being written"
      case .writeAheadLog: "a write-ahead log"
      }
    let heads = seen.graph.heads.map { "\(words($0.id))=\(words($0.content))" }
    let copies = seen.copies.map { "\($0.file)=\($0.content.map(words) ?? "torn")" }
    return "\(live), at \(seen.current.map(words) ?? "none"), heads \(heads), copies \(copies)"
      + (seen.isAlone ? ", alone" : "")
      + (seen.incomplete.isEmpty ? "" : ", \(words(seen.incomplete)) incomplete")
  }

  func words(_ action: Action) -> String {
    switch action {
    case .captureLive(let reason): "capture live as \(reason.rawValue)"
    case .captureCopy(let file): "capture \(file)"
    case .captureAside(let file): "capture \(file), set aside"
    case .store(let id, let file): "store \(words(id)) from \(file?.description ?? "live")"
    case .note(let id): "note \(words(id))"
    case .settle(let heads, let winner, _): "settle \(words(heads)) for \(words(winner))"
    case .merge(let heads): "merge \(words(heads))"
    case .adopt(let id): "adopt \(words(id))"
    case .repair(let id, let reason): "repair with \(words(id)): \(reason)"
    case .wait(let until, let reason): "wait until \(words(until)): \(reason)"
    default: "\(action)"
    }
  }
}
