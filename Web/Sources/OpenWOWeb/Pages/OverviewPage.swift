import OpenWOApp
import OpenWOShell

/// How a store is: its state, its lock, its devices, its newest versions.
struct OverviewPage: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }
  private var status: StoreStatus { scene.status }

  func node(_ fields: Fields) -> Node {
    let found = scene.syncState
    return [
      tag("h1", [:], .foreign(scene.file.name)),
      tag(
        "div", ["id": "state", "data-live": ""], conflicts,
        scene.status.lock == nil ? .none : LockSection(scene: scene).node, state(found)),
      tag(
        "section", ["class": "card", "aria-labelledby": "find-title"],
        tag("h2", ["id": "find-title"], voice.say("Bring something back", "元に戻す・復元する")),
        tag(
          "p", [:],
          voice.say(
            "Look for a row that was changed or deleted, on any day.",
            "変更・削除された行を、過去のどの日からでも探せます。")), FindPage(scene: scene).form("", onlyDeleted: true)),
      tag(
        "section",
        ["class": "card", "id": "newest", "data-live": "", "aria-labelledby": "newest-title"],
        tag("h2", ["id": "newest-title"], voice.say("Newest changes", "最近の変更")),
        HistoryPage(scene: scene).newest(5),
        tag(
          "p", [:],
          tag(
            "a", ["href": scene.file.address("history").description],
            voice.say("All \(scene.history.count) versions", "すべての版（\(scene.history.count)）")))),
      tag(
        "div", ["id": "lock", "data-live": ""],
        scene.status.lock == nil ? LockSection(scene: scene).node : .none),
      tag("div", ["id": "devices", "data-live": ""], devices),
      downloads(found),
    ]
  }

  private func state(_ state: SyncState) -> Node {
    let words = StateWords(state: state, texts: Catalogue(voice.language, .folder), voice: voice)
    return tag(
      "section", ["class": "card", "aria-label": voice("State", "状態")],
      tag(
        "div", ["class": "row plain"], .mark(words.icon),
        tag("span", ["class": "label"], voice.say("Folder Sync", "フォルダ同期")),
        tag("span", ["class": "value badge \(words.tone)", "role": "status"], .text(words.label))),
      tag("div", ["class": "detail"], all: words.details), own,
      times(state),
      tag(
        "p", [:],
        Action(scene.file.address("sync"), [("head", scene.head)], voice("Sync Now", "今すぐ同期"))
          .node()))
  }

  /// Other facts about the store.
  private var own: Node {
    var lines: [String] = []
    switch status.state {
    case .edited:
      lines.append(voice("There are changes that are in no version yet.", "まだ版になっていない変更があります。"))
    case .conflict:
      lines.append(voice("Several versions have to become one.", "複数の版を1つにまとめる必要があります。"))
    case .missing:
      lines.append(voice("The file is missing; its versions are safe.", "ファイルがありません。版は残っています。"))
    case .damaged:
      lines.append(
        voice("The file is damaged; the versions before are safe.", "ファイルが壊れています。以前の版は残っています。"))
    default: break
    }
    if !status.vanished.isEmpty {
      lines.append(
        voice(
          "Versions are gone from the folder. This device has kept them, and the next sync puts them back.",
          "フォルダから版がなくなりました。この端末に残っており、次の同期で戻されます。"))
    }
    if status.joined != nil {
      lines.append(voice("Data of two devices was brought together.", "2台の端末のデータを1つにまとめました。"))
    }
    if !status.quarantined.isEmpty {
      lines.append(voice("A damaged file was kept aside.", "壊れたファイルを別に保管しました。"))
    }
    var nodes = lines.map { tag("p", [:], .text($0)) }
    if let obstacle = status.obstacle, status.state != .locked {
      nodes.append(
        tag(
          "details", [:], tag("summary", [:], voice.say("Details", "詳細")),
          tag("p", [:], .foreign(obstacle.message)), tag("p", [:], .foreign(obstacle.hint))))
    }
    return .group(nodes)
  }

  private func times(_ state: SyncState) -> Node {
    func row(_ title: String, _ moment: Timestamp?, _ footnote: Bool = false) -> Node {
      guard let moment else { return .none }
      return tag(
        "div", ["class": "cell"], tag("dt", [:], .text(title)), tag("dd", [:], voice.time(moment))
      ).with("aria-describedby", "best-effort", if: footnote)
    }
    return [
      tag(
        "dl", ["class": "cells"], row(voice("Last Sync", "最終同期"), state.lastCheckedAt, true),
        row(voice("Last saved here", "この端末での最終保存"), state.lastLocalSaveAt),
        tag(
          "div", ["class": "cell"], tag("dt", [:], voice.say("File", "ファイル")),
          tag("dd", [:], PathNode(voice: voice).node(scene.file.database)))),
      tag(
        "p", ["class": "dim", "id": "best-effort"],
        .text(Catalogue(voice.language, .folder)[.bestEffort])),
    ]
  }

  private var conflicts: Node {
    let waiting = (try? scene.store.mergeable()) ?? []
    guard !waiting.isEmpty else { return .none }
    let count = waiting.count
    return tag(
      "div", ["class": "alert soft"],
      tag(
        "p", [:], .mark("⚠ "),
        voice.say(
          count == 1
            ? "Another side's changes are kept, and are not in here yet. "
            : "The changes of \(count) other sides are kept, and are not in here yet. ",
          "別の変更が\(count)件残っていますが、まだここに取り込まれていません。"),
        tag(
          "a", ["class": "strong", "href": scene.file.address("conflicts").description],
          voice.say("Look", "見る"))))
  }

  private var devices: Node {
    let rows = status.devices.map { device in
      tag(
        "tr", [:],
        tag("th", ["scope": "row"], .foreign(scene.name(device.id, device.name))),
        tag("td", [:], has(device)),
        tag("td", [:], voice.say("seen ", ""), voice.time(device.lastSeen), voice.say("", "に確認")))
    }
    return tag(
      "section", ["class": "card", "aria-labelledby": "devices-title"],
      tag("h2", ["id": "devices-title"], voice.say("Devices", "端末")),
      tag("table", ["class": "devices"], tag("tbody", [:], all: rows)))
  }

  private func has(_ device: DeviceSummary) -> Node {
    guard let head = device.head else { return voice.say("has no version yet", "まだ版がありません") }
    if head == status.head || head == scene.live?.id {
      return [.mark("✓ "), voice.say("has this version", "この版を持っています")]
    }
    guard let version = scene.version("\(head)") else {
      return voice.say("has another version", "別の版を持っています")
    }
    return [
      .mark("↻ "), voice.say("has the version of ", "持っている版："), voice.time(version.madeAt),
    ]
  }

  private func downloads(_ state: SyncState) -> Node {
    func link(_ form: String, _ title: String) -> Node {
      tag(
        "a",
        [
          "class": "act", "download": "",
          "href": scene.file.address("download", query: [("form", form)]).description,
        ],
        .text(title))
    }
    let now = tag(
      "a",
      [
        "class": "act", "download": "",
        "href": scene.file.address("download", query: [("version", scene.head)]).description,
      ], voice.say("Database", "データベース"))
    return tag(
      "section", ["class": "card", "aria-labelledby": "downloads-title"],
      tag("h2", ["id": "downloads-title"], voice.say("Export", "エクスポート")),
      Stale(voice: voice).node(state.staleness ?? (status.state == .synced ? nil : .mayBeStale)),
      tag("p", ["class": "buttons"], now, link("json", "JSON"), link("sql", "SQL")))
  }
}

/// A path with a button that copies it.
struct PathNode: Sendable {
  let voice: Voice

  func node(_ path: String) -> Node {
    [
      tag("code", ["class": "path"], .foreign(path)), " ",
      tag(
        "button", ["type": "button", "class": "copy", "data-copy": path, "disabled": ""],
        voice.say("Copy", "コピー")),
    ]
  }
}

/// The state of syncing, in the words of the catalogue, with signs besides colour.
struct StateWords: Sendable {
  let state: SyncState
  let texts: Catalogue
  let voice: Voice

  var label: String { texts[state.label] }

  var tone: String {
    switch state.status {
    case .synced: "good"
    case .syncing, .checking: "busy"
    case .error: "bad"
    case .localOnly: "warn"
    }
  }

  var icon: String {
    switch state.status {
    case .synced: "☁ "
    case .syncing, .checking: "↻ "
    case .error: "✕ "
    case .localOnly: "⚠ "
    }
  }

  /// The warning comes first, with a sign of its own.
  var details: [Node] { details(without: []) }

  /// The same, without some that are told elsewhere.
  func details(without hidden: [SyncText]) -> [Node] {
    state.details.filter { !hidden.contains($0) }.map { text in
      text == .onlyOnThisDevice
        ? tag("p", ["class": "warning"], .mark("⚠ "), .text(texts[text]))
        : tag("p", [:], .text(texts[text]))
    }
  }
}
