import OpenWOApp

/// The names of versions: shown, given, changed and taken away.
struct PinNode: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }

  /// The names of one version.
  func names(_ entry: HistoryEntry) -> Node {
    .group(
      entry.pins.map { tag("span", ["class": "badge pin"], .mark("⚑ "), .foreign($0)) })
  }

  /// The ways to give a version a name, and to change or take away those that it has.
  func editor(_ entry: HistoryEntry, page: Int) -> Node {
    let title = entry.pins.isEmpty ? voice("Name…", "名前を付ける…") : voice("Names…", "名前…")
    return tag(
      "details", ["class": "naming"], tag("summary", [:], .text(title)),
      tag(
        "p", ["class": "dim"],
        voice.say(
          "A version with a name is never pruned, on any device.", "名前のある版は、どの端末でも削除されません。")),
      .group(entry.pins.map { form(entry.version, $0, page) }), form(entry.version, nil, page))
  }

  private func form(_ version: Version, _ name: String?, _ page: Int) -> Node {
    let fields: [(String, String?)] = [
      ("version", "\(version.id)"), ("former", name), ("page", page > 1 ? "\(page)" : nil),
    ]
    let label =
      name.map { voice("New name for \($0)", "\($0)の新しい名前") }
      ?? voice("Name of this version", "この版の名前")
    let remove =
      name == nil
      ? Node.none : Action(scene.file.address("pin"), fields, voice("Remove", "削除")).button
    return tag(
      "form",
      [
        "class": "find", "data-form": scene.file.address("pin").description,
        "data-body": String(Address([], fields).description.dropFirst(2)),
      ],
      tag(
        "input",
        [
          "type": "text", "name": "name", "value": name ?? "", "maxlength": "64",
          "autocomplete": "off", "aria-label": label, "placeholder": voice("Name", "名前"),
        ]),
      tag(
        "button", ["type": "submit", "class": "act", "disabled": ""],
        name == nil ? voice.say("Give this name", "名前を付ける") : voice.say("Rename", "変更")), remove,
      Action.place)
  }

  /// All versions with a name, so that they are found among thousands.
  func list() -> Node {
    let named = scene.history.filter { !$0.pins.isEmpty }
    guard !named.isEmpty else { return .none }
    let words = VersionWords(scene: scene)
    let items = named.map { entry in
      let restore = scene.file.address("restore", query: [("version", "\(entry.version.id)")])
      return tag(
        "li", ["class": "links"], names(entry), tag("span", [:], words.side(entry.version)),
        scene.live.map {
          $0.id == entry.version.id
            ? tag("span", ["class": "badge good"], voice.say("Now", "現在"))
            : [
              words.comparison(entry.version, $0, voice("Changes since", "以降の変更")),
              tag("a", ["href": restore.description], voice.say("Bring back…", "復元…")),
            ]
        } ?? .none)
    }
    return tag(
      "section", ["class": "card", "aria-labelledby": "named-title"],
      tag("h2", ["id": "named-title"], voice.say("Named versions", "名前のある版")),
      tag("ul", ["class": "answers"], all: items))
  }
}
