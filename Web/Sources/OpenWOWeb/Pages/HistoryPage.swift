import OpenWOApp

/// The versions as a timeline, newest first.
struct HistoryPage: Sendable {
  let scene: Scene
  private static let size = 40

  private var voice: Voice { scene.voice }
  private var words: VersionWords { VersionWords(scene: scene) }

  func node(_ fields: Fields) -> Node {
    let count = scene.history.count
    let pages = max(1, (count + Self.size - 1) / Self.size)
    let page = min(max(fields.count("page") ?? 1, 1), pages)
    let from = scene.version(fields["from"])
    let shown = scene.history.dropFirst((page - 1) * Self.size).prefix(Self.size)
    return [
      tag("h1", [:], voice.say("History", "履歴"), " ", tag("small", [:], .foreign(scene.file.name))),
      tag(
        "p", ["class": "dim"],
        voice.say(
          "\(count) versions. Nothing here is lost by bringing something back: it becomes a new version on top.",
          "\(count)個の版があります。復元しても何も失われず、新しい版として追加されます。")),
      FindPage(scene: scene).form(""), choosing(from),
      tag("div", ["id": "named", "data-live": ""], PinNode(scene: scene).list()),
      tag(
        "div", ["id": "timeline", "data-live": ""], timeline(shown, from, page: page),
        pager(page, pages, from)),
    ]
  }

  /// The newest few, for the overview.
  func newest(_ count: Int) -> Node { timeline(scene.history.prefix(count), nil) }

  private func choosing(_ from: Version?) -> Node {
    guard let from else { return .none }
    return tag(
      "p", ["class": "notice"], voice.say("Compare with the version of ", "比べる版："),
      words.side(from),
      voice.say(": choose the other one. ", "。もう一方を選んでください。"),
      tag("a", ["href": scene.file.address("history").description], voice.say("Cancel", "やめる")))
  }

  private func timeline(
    _ entries: some Collection<HistoryEntry>, _ from: Version?, page: Int? = nil
  ) -> Node {
    let limit = ContinuousClock.now.advanced(by: .milliseconds(150))
    var sections: [Node] = []
    var day: String?
    var items: [Node] = []
    func close() {
      guard let title = day else { return }
      sections.append(tag("h2", ["class": "day"], .text(title)))
      sections.append(tag("ol", ["class": "timeline"], all: items))
      items = []
    }
    for entry in entries {
      let heading = voice.heading(entry.version.madeAt)
      if heading != day {
        close()
        day = heading
      }
      items.append(item(entry, from, page, until: limit))
    }
    close()
    return .group(sections)
  }

  private func item(
    _ entry: HistoryEntry, _ from: Version?, _ page: Int?, until limit: ContinuousClock.Instant
  ) -> Node {
    let version = entry.version
    let marks: Node = [
      entry.isLive ? tag("span", ["class": "badge good"], voice.say("Now", "現在")) : .none,
      entry.isPublished
        ? .none : tag("span", ["class": "badge"], voice.say("Waits to be sent", "送信待ち")),
    ]
    return tag(
      "li", [:],
      tag(
        "div", ["class": "when"], voice.time(version.madeAt, onlyTime: true), " ",
        .foreign(scene.name(version.device, version.deviceName))),
      tag(
        "div", ["class": "what"],
        tag(
          "p", [:], tag("strong", [:], .text(words.reason(version))), " ", words.note(version), " ",
          marks, PinNode(scene: scene).names(entry)),
        tag(
          "p", ["class": "sum"],
          summary(of: version, patience: ContinuousClock.now.duration(to: limit))),
        actions(entry, from, page)))
  }

  /// The changes of a version; a placeholder if there is no time to count.
  func summary(of version: Version, patience: Duration) -> Node {
    guard let parent = scene.parent(of: version) else {
      return tag("span", ["class": "dim"], voice.say("the first version", "最初の版"))
    }
    if let known = scene.differences.knownCounts(parent.id, version.id) {
      return Chips(voice: voice).node(known)
    }
    guard patience > .zero else {
      let address = scene.file.address("summary", query: [("version", "\(version.id)")])
      return tag("span", ["class": "dim", "data-fetch": address.description], "…")
    }
    guard let found = try? scene.differences.counts(scene.store, parent.id, version.id) else {
      return tag("span", ["class": "dim"], voice.say("content no longer kept", "内容は保存期間を過ぎました"))
    }
    return Chips(voice: voice).node(found)
  }

  private func actions(_ entry: HistoryEntry, _ from: Version?, _ page: Int?) -> Node {
    let version = entry.version
    var links: [Node] = []
    if let from {
      if from.id == version.id { return .none }
      let isOlder = from.madeAt <= version.madeAt
      links.append(
        words.comparison(
          isOlder ? from : version, isOlder ? version : from, voice("Compare with this", "これと比べる")))
    } else {
      if let parent = scene.parent(of: version) {
        links.append(words.comparison(parent, version, voice("What changed", "変更内容")))
      }
      if let live = scene.live, !entry.isLive {
        links.append(words.comparison(version, live, voice("Changes since", "以降の変更")))
        links.append(link("restore", [("version", "\(version.id)")], voice("Bring back…", "復元…")))
      }
      links.append(link("history", [("from", "\(version.id)")], voice("Compare…", "比較…")))
      links.append(
        link("download", [("version", "\(version.id)")], voice("Download", "ダウンロード"))
          .with("download"))
      if let page { links.append(PinNode(scene: scene).editor(entry, page: page)) }
    }
    return tag("div", ["class": "links"], all: links)
  }

  private func link(_ page: String, _ query: [(String, String?)], _ title: String) -> Node {
    tag("a", ["href": scene.file.address(page, query: query).description], .text(title))
  }

  private func pager(_ page: Int, _ pages: Int, _ from: Version?) -> Node {
    Pager(voice: voice, page: page, pages: pages) { number in
      scene.file.address(
        "history", query: [("page", "\(number)"), ("from", from.map { "\($0.id)" })])
    }.node
  }
}

/// Links to the pages before and after.
struct Pager {
  let voice: Voice
  let page: Int
  let pages: Int
  let address: (Int) -> Address

  init(voice: Voice, page: Int, pages: Int, address: @escaping (Int) -> Address) {
    (self.voice, self.page, self.pages, self.address) = (voice, page, pages, address)
  }

  var node: Node {
    guard pages > 1 else { return .none }
    func link(_ number: Int, _ title: String) -> Node {
      guard (1...pages).contains(number), number != page else {
        return tag("span", ["class": "dim"], .text(title))
      }
      return tag("a", ["href": address(number).description], .text(title))
    }
    return tag(
      "nav", ["class": "pager", "aria-label": voice("More pages", "ほかのページ")],
      link(1, voice("First", "最初")), link(page - 1, voice("‹ Back", "‹ 前へ")),
      tag("span", [:], .text("\(page) / \(pages)")), link(page + 1, voice("Next ›", "次へ ›")),
      link(pages, voice("Last", "最後")))
  }
}
