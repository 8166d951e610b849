import OpenWOApp

/// Finds rows that were changed or deleted, by a word that was in them.
struct FindPage: Sendable {
  let scene: Scene
  private static let most = 30

  private var voice: Voice { scene.voice }

  /// The place to type a word.
  func form(_ text: String, onlyDeleted: Bool = false) -> Node {
    let field = tag(
      "input",
      [
        "type": "search", "name": "q", "id": "q", "value": text, "autocomplete": "off",
        "aria-label": voice("A word in the row", "行に含まれる言葉"),
        "placeholder": voice("A word in the row", "行に含まれる言葉"),
      ])
    let box = tag("input", ["type": "checkbox", "name": "kind", "value": "deleted", "id": "kind"])
      .with("checked", if: onlyDeleted)
    return tag(
      "form",
      ["class": "find", "role": "search", "data-find": scene.file.address("find").description],
      field,
      tag("label", ["class": "check"], box, " ", voice.say("only deleted rows", "削除された行のみ")),
      tag("button", ["type": "submit", "class": "act"], voice.say("Find", "探す")))
  }

  func node(_ fields: Fields) -> Node {
    let text = fields["q"] ?? ""
    let onlyDeleted = fields["kind"] == "deleted"
    let start = fields.count("before") ?? 0
    var found = Found()
    let limit = ContinuousClock.now.advanced(by: .seconds(2))
    var index = start
    while index < scene.history.count, found.count < Self.most, ContinuousClock.now < limit {
      look(scene.history[index].version, text.lowercased(), onlyDeleted, &found)
      index += 1
    }
    return [
      tag(
        "h1", [:],
        onlyDeleted ? voice.say("Find deleted rows", "削除された行を探す") : voice.say("Find a row", "行を探す")),
      form(text, onlyDeleted: onlyDeleted), results(found, text),
      further(index, start, text, onlyDeleted),
    ]
  }

  private struct Found {
    var groups: [(version: Version, nodes: [Node])] = []
    var count = 0
  }

  private func look(_ version: Version, _ word: String, _ onlyDeleted: Bool, _ found: inout Found) {
    guard let parent = scene.parent(of: version),
      let counts = try? scene.differences.counts(scene.store, parent.id, version.id),
      counts.tables.contains(where: { !onlyDeleted || $0.deleted > 0 }),
      let report = try? scene.differences.rows(scene.store, parent.id, version.id, upTo: 500)
    else { return }
    var nodes: [Node] = []
    for table in report.tables {
      for row in table.rows where !onlyDeleted || row.kind == "deleted" {
        guard found.count + nodes.count < Self.most else { break }
        let values = (row.old ?? []) + (row.new ?? [])
        guard word.isEmpty || values.contains(where: { Self.holds($0, word) }) else { continue }
        let card = RowCard(voice, table, row)
        nodes.append(card.node(RestoreLink(scene: scene).node(card, parent)))
      }
    }
    guard !nodes.isEmpty else { return }
    found.count += nodes.count
    found.groups.append((version, nodes))
  }

  private static func holds(_ value: DataValue, _ word: String) -> Bool {
    switch value {
    case .text(let text): text.lowercased().contains(word)
    case .integer(let integer): "\(integer)" == word
    case .real(let real): "\(real)" == word
    default: false
    }
  }

  private func results(_ found: Found, _ text: String) -> Node {
    let words = VersionWords(scene: scene)
    guard found.count > 0 else {
      return tag("p", ["role": "status"], voice.say("Nothing found here.", "見つかりませんでした。"))
    }
    return .group(
      found.groups.map { group in
        tag(
          "section", [:],
          tag(
            "h2", ["class": "day"], .text(voice.heading(group.version.madeAt)), " · ",
            words.side(group.version), " · ", .text(words.reason(group.version))),
          .group(group.nodes))
      })
  }

  private func further(_ index: Int, _ start: Int, _ text: String, _ onlyDeleted: Bool) -> Node {
    guard index < scene.history.count else {
      return tag("p", ["class": "dim"], voice.say("That was the whole history.", "履歴の最後まで探しました。"))
    }
    let address = scene.file.address(
      "find", query: [("q", text), ("kind", onlyDeleted ? "deleted" : nil), ("before", "\(index)")])
    return tag(
      "p", [:],
      tag("a", ["href": address.description], voice.say("Look further back", "さらに過去を探す")))
  }
}
