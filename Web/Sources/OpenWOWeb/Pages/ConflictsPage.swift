import OpenWOApp
import SystemPackage

/// The sides that wait to be merged, with both sides named.
struct ConflictsPage: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }
  private var words: VersionWords { VersionWords(scene: scene) }

  func node(_ fields: Fields) throws -> Node {
    let waiting = try scene.store.mergeable()
    let settled = scene.history.filter {
      $0.version.reason == .settle || $0.version.reason == .merge
    }
    return [
      tag("h1", [:], voice.say("Conflicts", "競合")),
      tag(
        "div", ["id": "waiting", "data-live": ""],
        waiting.isEmpty
          ? tag(
            "p", ["class": "notice"], .mark("✓ "),
            voice.say("Nothing waits: all changes are in here.", "取り込み待ちの変更はありません。"))
          : .group(waiting.map(side))), past(settled.prefix(20)),
    ]
  }

  private func side(_ source: MergeSource) -> Node {
    switch source {
    case .version(let id):
      guard let version = scene.version("\(id)") else { return .none }
      return card(
        words.writing(version), changes(of: version), [("version", "\(id)")], version)
    case .file(let path):
      let name = path.lastComponent?.string ?? path.string
      let counts = (try? scene.store.diff(from: .live, to: .file(path))).map {
        Chips(voice: voice).node($0)
      }
      return card(
        [voice.say("A conflicted copy: ", "競合コピー："), .foreign(name)], counts ?? .none,
        [("file", name)],
        nil)
    }
  }

  /// The changes of a side since the merge base, or since its parent if only that is known.
  private func changes(of version: Version) -> Node {
    guard let parent = scene.parent(of: version),
      let found = try? scene.differences.counts(scene.store, parent.id, version.id)
    else { return .none }
    return Chips(voice: voice).node(found)
  }

  private func card(
    _ title: Node, _ counts: Node, _ query: [(String, String?)], _ version: Version?
  ) -> Node {
    var links = [
      tag(
        "a", ["class": "act main", "href": scene.file.address("merge", query: query).description],
        voice.say("Bring them in…", "取り込む…"))
    ]
    if let version, let live = scene.live {
      links.append(words.comparison(live, version, voice("Look", "見る")))
      let restore = scene.file.address("restore", query: [("version", "\(version.id)")])
      links.append(
        tag(
          "a", ["href": restore.description],
          voice.say("Go over to this side…", "こちらの内容に切り替える…")))
    }
    let now = scene.live.map {
      tag("p", ["class": "dim"], voice.say("Now here: ", "現在の内容："), words.writing($0))
    }
    return tag(
      "section", ["class": "card"], tag("h2", [:], title), tag("p", [:], counts), now ?? .none,
      tag("p", ["class": "links"], all: links))
  }

  private func past(_ entries: some Collection<HistoryEntry>) -> Node {
    guard !entries.isEmpty else { return .none }
    let items = entries.map { entry in
      tag(
        "li", [:],
        tag("div", ["class": "when"], voice.time(entry.version.madeAt)),
        tag(
          "div", ["class": "what"],
          tag("p", [:], tag("strong", [:], .text(words.reason(entry.version)))),
          tag("p", ["class": "links"], all: parents(of: entry.version))))
    }
    return tag(
      "section", ["class": "card"], tag("h2", [:], voice.say("Before", "これまで")),
      tag("ol", ["class": "timeline"], all: items))
  }

  private func parents(of version: Version) -> [Node] {
    version.parents.compactMap { scene.version("\($0)") }.map { parent in
      let address = scene.file.address(
        "diff", query: [("from", "\(parent.id)"), ("to", "\(version.id)")])
      return tag(
        "a", ["href": address.description], voice.say("Against ", "比較："), words.side(parent))
    }
  }
}
