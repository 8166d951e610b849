import OpenWOApp

/// The settings section of one app, row by row as its display asks for.
struct AppSection: Sendable {
  let app: KnownApp
  let voice: Voice
  let options: WebOptions

  private var texts: Catalogue { app.texts(voice.language) }
  private var id: String { "app-\(app.name.filter { $0.isLetter || $0.isNumber })" }

  var node: Node {
    let state = app.state()
    let heading = tag("h2", ["id": "\(id)-title"], .text(texts[.title]), " ", owner)
    return tag(
      "section", ["class": "card", "aria-labelledby": "\(id)-title"], heading,
      tag("div", ["id": id, "data-live": ""], rows(state)), Action.place)
  }

  /// Which app it is; several may have the same title.
  private var owner: Node { tag("small", ["class": "dim"], .foreign(app.name)) }

  private func rows(_ state: SyncState) -> Node {
    switch app.description.display {
    case "full":
      [
        notice(state), status(state), details(state), lastSync(state), saved(state), seen(state),
        lock, settings, again(state), export,
      ]
    case "indicator":
      [
        status(state), needsAttention(state) ? details(state) : .none, lastSync(state), lock,
        button("sync", texts[.syncNow], reason(state)), toggle(state), notice(state),
      ]
    default:
      // An app that shows nothing of syncing speaks of its switch only.
      [toggle(state), state.restartReason == .switchMoved ? notice(state) : .none]
    }
  }

  private func needsAttention(_ state: SyncState) -> Bool {
    state.status == .error || state.status == .localOnly
  }

  private func status(_ state: SyncState) -> Node {
    let words = StateWords(state: state, texts: texts, voice: voice)
    let label = app.hasLostFolder ? texts[.syncError] : words.label
    return tag(
      "div", ["class": "row plain"], .mark(words.icon),
      tag("span", ["class": "label"], .text(texts[.title])),
      tag("span", ["class": "value badge \(words.tone)", "role": "status"], .text(label)))
  }

  private func details(_ state: SyncState) -> Node {
    if app.hasLostFolder {
      return tag(
        "div", ["class": "detail"],
        tag(
          "p", [:],
          voice.say(
            "The folder is gone. Restart the app to use this device's own data.",
            "フォルダが見つかりません。再起動すると、この端末内で続けられます。")))
    }
    var words = StateWords(state: state, texts: texts, voice: voice).details
    if state.availability == .restricted {
      words.append(
        tag(
          "p", [:],
          voice.say(
            "The folder cannot be written. Check its permissions.",
            "フォルダに書き込めません。アクセス権を確認してください。")))
    }
    let isAlert = state.lastError == .quotaExceeded
    return tag("div", ["class": "detail"], all: words).with("role", "alert", if: isAlert)
  }

  private func lastSync(_ state: SyncState) -> Node {
    guard let checked = state.lastCheckedAt else { return .none }
    return [
      cell(texts[.lastSync], voice.time(checked)).with("aria-describedby", "\(id)-effort"),
      tag("p", ["class": "dim", "id": "\(id)-effort"], .text(texts[.bestEffort])),
    ]
  }

  private func saved(_ state: SyncState) -> Node {
    state.lastLocalSaveAt.map { cell(texts[.lastLocalSave], voice.time($0)) } ?? .none
  }

  private func seen(_ state: SyncState) -> Node {
    .group(
      state.seenBy.map { sighting in
        tag(
          "p", ["class": "dim"],
          .foreign(texts.seen(sighting, minutesEast: sighting.at.minutesEast)))
      })
  }

  private func cell(_ title: String, _ value: Node) -> Node {
    tag(
      "div", ["class": "cell"], tag("span", ["class": "dim"], .text(title)), tag("span", [:], value)
    )
  }

  /// The lock of somebody who edits the app's file.
  private var lock: Node {
    guard let path = app.description.syncedFile,
      let store = try? SyncedDatabase(path: path, configuration: options.configuration),
      let lock = try? store.status().lock
    else { return .none }
    return LockWords(voice: voice, lock: lock).node
  }

  private var settings: Node {
    tag(
      "a", ["class": "row", "data-buzz": "", "href": Address(["app", app.name]).description],
      tag("span", [:], .text(texts[.openSettings])),
      tag("span", ["class": "dim"], .text(texts[.checkSettings])))
  }

  private func again(_ state: SyncState) -> Node {
    guard
      state.lastError != nil || (state.activeStore == .local && state.availability == .available)
    else { return .none }
    return button("sync", voice("Try Again", "もう一度試す"), reason(state))
  }

  /// Why a look cannot help now.
  private func reason(_ state: SyncState) -> String? {
    guard state.activeStore == .local else { return nil }
    return state.syncEnabled
      ? voice("The app uses this device's own data now.", "アプリはこの端末内のデータを使っています。")
      : voice("Syncing is off.", "同期はオフです。")
  }

  private func button(_ verb: String, _ title: String, _ reason: String?) -> Node {
    let row = tag(
      "button",
      [
        "type": "button", "class": "row", "disabled": "", "data-body": "stay=1",
        "data-post": Address(["app", app.name, verb]).description,
      ], .mark("↻ "), .text(title))
    guard let reason else { return row }
    return [
      row.with("data-blocked").with("aria-describedby", "\(id)-reason"),
      tag("p", ["class": "dim", "id": "\(id)-reason"], .text(reason)),
    ]
  }

  private var export: Node {
    guard app.description.syncedFile != nil else { return .none }
    let address = Address(["app", app.name, "download"], [("form", "json")])
    return tag(
      "a", ["class": "row", "download": "", "href": address.description],
      voice.say("Export", "エクスポート"))
  }

  /// The switch; an app without one has none here either.
  private func toggle(_ state: SyncState) -> Node {
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

  private func notice(_ state: SyncState) -> Node {
    guard let notice = state.restartNotice else { return .none }
    return tag("p", ["class": "notice", "role": "status"], .text(texts[notice]))
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
    return tag("p", ["class": "warning"], .mark("🔒 "), .group(words))
  }
}
