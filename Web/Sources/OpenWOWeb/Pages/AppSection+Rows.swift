import OpenWOApp

/// The rows that react, and what is told when they are due.
extension AppSection {
  var settings: Node {
    tag(
      "a", ["class": "row", "data-buzz": "", "href": Address(["app", app.name]).description],
      tag("span", [:], .text(texts[.openSettings])),
      tag("span", ["class": "dim"], .text(texts[.checkSettings])))
  }

  func again(_ state: SyncState) -> Node {
    guard
      state.lastError != nil || (state.activeStore == .local && state.availability == .available)
    else { return .none }
    return button("sync", texts[.tryAgain], reason(state))
  }

  /// Why a look cannot help now.
  func reason(_ state: SyncState) -> String? {
    guard state.activeStore == .local else { return nil }
    return state.syncEnabled
      ? voice("The app uses this device's own data now.", "アプリはこの端末内のデータを使っています。")
      : voice("Syncing is off.", "同期はオフです。")
  }

  func button(_ verb: String, _ title: String, _ reason: String?) -> Node {
    let row = tag(
      "button",
      [
        "type": "button", "class": "row", "disabled": "", "data-body": "stay=1",
        "data-post": Address(["app", app.name, verb]).description,
        "data-doing": texts[.syncing], "data-slow": voice("Still looking", "まだ確認中です"),
      ], .mark("↻ "), .text(title))
    guard let reason else { return row }
    return [
      row.with("data-blocked").with("aria-describedby", "\(id)-reason"),
      tag("p", ["class": "dim", "id": "\(id)-reason"], .text(reason)),
    ]
  }

  func export(_ state: SyncState) -> Node {
    let address = Address(["app", app.name, "export"])
    return [
      tag(
        "a", ["class": "row", "download": "", "href": address.description],
        voice.say("Export", "エクスポート")), Stale(voice: voice).node(state.staleness),
    ]
  }

  /// The switch; an app without one has none here either.
  func toggle(_ state: SyncState) -> Node {
    guard app.description.hasSwitch else { return .none }
    let text = app.description.explanation?[voice.language] ?? texts[.switchExplanation]
    let isOn = state.syncEnabled
    return tag(
      "button",
      [
        "type": "button", "class": "row", "role": "switch", "aria-checked": isOn ? "true" : "false",
        "aria-labelledby": "\(id)-switch", "disabled": "",
        "data-body": "on=\(isOn ? "0" : "1")",
        "data-post": Address(["app", app.name, "switch"]).description,
      ], tag("span", ["id": "\(id)-switch"], .text(text)),
      tag("span", ["class": "knob"], isOn ? voice.say("On", "オン") : voice.say("Off", "オフ")))
  }

  func notice(_ state: SyncState) -> Node {
    guard let notice = state.restartNotice else { return .none }
    return tag("p", ["class": "notice", "role": "status"], .text(texts[notice]))
  }
}

/// That an export may lack what is still on its way.
struct Stale: Sendable {
  let voice: Voice

  func node(_ staleness: SyncText?) -> Node {
    switch staleness {
    case .mayBeStale:
      tag("p", ["class": "dim"], voice.say("Syncing: this may be stale", "同期中のため最新でない可能性"))
    case let text?:
      tag("p", ["class": "dim"], .text(Catalogue(voice.language)[text]))
    case nil: .none
    }
  }
}

/// What was set aside, and what happened to this device's data without anybody being asked.
struct Untold: Sendable {
  let section: AppSection
  let state: SyncState
  let store: StoreStatus?

  private var app: KnownApp { section.app }
  private var voice: Voice { section.voice }
  private var texts: Catalogue { section.texts }

  var node: Node { [setAside, notBroughtIn, .group(news.map(item))] }

  private var setAside: Node {
    guard state.setAside > 0, let sides = store?.setAside, !sides.isEmpty else { return .none }
    // With one side the way leads to what it would bring; else to the list of them.
    let only = sides.count == 1 ? sides.first : nil
    let bring = Address(
      ["app", app.name, only == nil ? "conflicts" : "merge"],
      [("version", only.map { "\($0.version)" })])
    return tag(
      "div", ["class": "alert soft"],
      tag("p", [:], .mark("⚠ "), .text(texts.setAside(state.setAside))),
      tag(
        "p", ["class": "links"],
        tag("a", ["class": "act", "href": bring.description], .text(texts[.bringIn])),
        tag(
          "a", ["class": "act", "href": Address(["app", app.name, "conflicts"]).description],
          voice.say("Look", "見る"))))
  }

  private var notBroughtIn: Node {
    guard app.failedReport != nil else { return .none }
    return tag(
      "p", ["class": "detail"],
      tag(
        "a", ["href": Address(["app", app.name]).description + "#log"],
        voice.say("What happened", "移行の記録")))
  }

  /// What is told once, each with the word that remembers it.
  private var news: [(word: String, text: String)] {
    var news: [(String, String)] = []
    if let joined = store?.joined { news.append(("joined-\(joined)", texts[.joined])) }
    if let last = app.reports.first, [.setAside, .copied, .merged].contains(last.kind) {
      news.append(("log-\(last.at)", texts.logged(last)))
    }
    return news.filter { !app.isTold($0.0) }
  }

  private func item(_ news: (word: String, text: String)) -> Node {
    tag(
      "div", ["class": "told"], tag("span", [:], .foreign(news.text)), " ",
      Action(Address(["app", app.name, "told"]), [("news", news.word)], voice("OK", "確認"))
        .button)
  }
}

/// Who edits, on another device or this one, in one sentence.
struct LockWords: Sendable {
  let voice: Voice
  let lock: StoreLock

  var node: Node {
    let holder = Node.foreign(lock.user)
    let device = Node.foreign(lock.deviceName)
    let note = Node.foreign(lock.note ?? "—")
    let words: [Node] =
      voice.language == .ja
      ? [
        holder, "（", device, "）が", voice.time(lock.since), "から編集中です：", note,
        "。閲覧はできますが、保存はできません。",
      ]
      : [
        holder, " on ", device, " is editing since ", voice.time(lock.since), ": ", note,
        ". You can read, but not save.",
      ]
    return tag(
      "p", ["class": "warning", "data-ends": voice("Unlocked", "ロックが解除されました")], .mark("🔒 "),
      .group(words))
  }
}
