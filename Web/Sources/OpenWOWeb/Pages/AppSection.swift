import OpenWOApp

/// The settings section of one app, row by row as its display asks for.
struct AppSection: Sendable {
  let app: KnownApp
  let voice: Voice
  let options: WebOptions

  var texts: Catalogue { app.texts(voice.language) }
  var id: String { "app-\(app.name.filter { $0.isLetter || $0.isNumber })" }

  var node: Node {
    let state = app.state()
    let store = status(state)
    let heading = tag("h2", ["id": "\(id)-title"], .text(texts[.title]), " ", owner)
    return tag(
      "section", ["class": "card", "aria-labelledby": "\(id)-title"], heading,
      tag("div", ["id": "\(id)-alert", "data-live": ""], alert(state)),
      tag("div", ["id": id, "data-live": ""], rows(state, store)),
      isQuiet ? Action.place : tag("p", ["class": "result", "role": "status"]))
  }

  /// Whether the app shows nothing of syncing but its switch.
  private var isQuiet: Bool { app.description.display == "nothing" }

  /// What its store says, if there is one that can be looked into.
  private func status(_ state: SyncState) -> StoreStatus? {
    guard !isQuiet, state.status != .checking, app.finding.availability == .available,
      let path = app.description.syncedFile
    else { return nil }
    return try? SyncedDatabase(path: path, configuration: options.configuration).status()
  }

  /// Which app it is; several may have the same title.
  private var owner: Node {
    let environment = app.description.environment
    let name = app.title(voice.language)
    return tag(
      "small", ["class": "dim"],
      .foreign(environment == "production" ? name : "\(name) (\(environment))"))
  }

  private func rows(_ state: SyncState, _ store: StoreStatus?) -> Node {
    let untold = Untold(section: self, state: state, store: store)
    return switch app.description.display {
    case "full":
      [
        notice(state), label(state), details(state, without: .checkSettings), untold.node,
        lastSync(state), saved(state), seen(state), lock(store), settings, again(state),
        export(state),
      ]
    case "indicator":
      [
        label(state), needsAttention(state) ? details(state) : .none, untold.node,
        lastSync(state), lock(store), button("sync", texts[.syncNow], reason(state)),
        toggle(state), notice(state),
      ]
    default:
      // An app that shows nothing of syncing speaks of its switch only.
      [toggle(state), state.restartReason == .switchMoved ? notice(state) : .none]
    }
  }

  private func needsAttention(_ state: SyncState) -> Bool {
    state.status == .error || state.status == .localOnly
  }

  private func words(_ state: SyncState) -> StateWords {
    StateWords(state: state, texts: texts, voice: voice)
  }

  private func label(_ state: SyncState) -> Node {
    let words = words(state)
    return tag(
      "div", ["class": "row plain"], .mark(words.icon),
      tag("span", ["class": "label"], .text(texts[.title])),
      tag(
        "span", ["class": "value badge \(words.tone)", "data-label": words.label],
        .text(words.label)))
  }

  /// A part of its own, so that it is said once and not whenever a time changes.
  private func alert(_ state: SyncState) -> Node {
    guard !isQuiet, state.lastError == .quotaExceeded else { return .none }
    return tag(
      "div", ["class": "alert", "role": "alert"], .mark("⚠ "),
      .text(texts[SyncErrorKind.quotaExceeded.guidance]))
  }

  private func details(_ state: SyncState, without hidden: SyncText? = nil) -> Node {
    let lines = words(state).details(without: [hidden, .quotaExceeded].compactMap { $0 })
    guard state.lastError == .damaged, app.description.syncedFile != nil else {
      return tag("div", ["class": "detail"], all: lines)
    }
    let history = Address(["app", app.name, "history"]).description
    return tag(
      "div", ["class": "detail"],
      all: lines + [
        tag("p", [:], tag("a", ["href": history], voice.say("Open the history", "履歴を開く")))
      ])
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
        tag("p", ["class": "dim"], .foreign(texts.seen(sighting, today: voice.now)))
      })
  }

  private func cell(_ title: String, _ value: Node) -> Node {
    tag(
      "div", ["class": "cell"], tag("span", ["class": "dim"], .text(title)), tag("span", [:], value)
    )
  }

  /// The lock of somebody who edits the app's file.
  private func lock(_ store: StoreStatus?) -> Node {
    store?.lock.map { LockWords(voice: voice, lock: $0).node } ?? .none
  }
}
