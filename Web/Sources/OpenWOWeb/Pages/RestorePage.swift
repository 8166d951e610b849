import OpenWOApp
import OpenWOShell

/// Asks before something is brought back, and shows what would change now.
struct RestorePage: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }
  private var words: VersionWords { VersionWords(scene: scene) }

  func node(_ fields: Fields) throws -> Node {
    guard let version = scene.version(fields["version"]) else {
      throw StoreError(
        .noSuchVersion, "the address names a version that is not here",
        hint: "choose one: openwo history")
    }
    let table = fields["table"]
    let key = fields.all("key")
    return [
      tag("h1", [:], .text(title(table, key))),
      tag(
        "section", ["class": "card"],
        tag(
          "p", [:], voice.say("As it was in the version of ", "戻す版："), words.side(version),
          " (", .text(words.reason(version)), ")"),
        table == nil ? try whole(version) : try part(version, table ?? "", key)),
    ]
  }

  private func title(_ table: String?, _ key: [String]) -> String {
    guard let table else { return voice("Bring back this version?", "この版に戻しますか？") }
    if key.isEmpty {
      return voice("Bring back the table \(table)?", "テーブル\(table)を戻しますか？")
    }
    return voice("Bring back this row of \(table)?", "\(table)のこの行を戻しますか？")
  }

  private func whole(_ version: Version) throws -> Node {
    let report = try scene.store.diff(from: .live, to: .version(version.id), rows: .upTo(20))
    guard !report.equal else { return already }
    return [
      tag("p", [:], voice.say("This is what would change now:", "現在から次のように変わります：")),
      tag("p", [:], Chips(voice: voice).node(report)), button(version, [], isWhole: true),
      .group(
        report.tables.map { table in
          tag(
            "section", [:], tag("h2", [:], .foreign(table.table)),
            .group(table.rows.map { RowCard(voice, table, $0).node(.none) }))
        }),
    ]
  }

  private func part(_ version: Version, _ table: String, _ key: [String]) throws -> Node {
    let request = RowsRequest(table: table, key: key.isEmpty ? nil : key)
    let plan = try scene.store.restore(request, from: version.id, dryRun: true)
    let change = plan.change
    guard change.inserted + change.updated + change.deleted > 0 else { return already }
    let fields: [(String, String?)] = [("table", table)] + key.map { ("key", $0) }
    return [
      tag("p", [:], voice.say("This is what would change now:", "現在から次のように変わります：")),
      tag("p", [:], Chips(voice: voice).chip(ChangedTable(change))), try rows(version, table, key),
      button(version, fields, isWhole: false),
    ]
  }

  /// The rows in question, as they are now and as they would be.
  private func rows(_ version: Version, _ table: String, _ key: [String]) throws -> Node {
    let report = try scene.store.diff(
      from: .live, to: .version(version.id), rows: .upTo(key.isEmpty ? 20 : 5000))
    let found = report.tables.filter { $0.table.lowercased() == table.lowercased() }
    return .group(
      found.flatMap { table in
        table.rows.map { RowCard(voice, table, $0) }.filter { key.isEmpty || $0.key == key }
          .prefix(20).map { $0.node(.none) }
      })
  }

  private var already: Node {
    tag(
      "p", ["role": "status"],
      voice.say("It is so already; there is nothing to bring back.", "すでにその状態です。戻すものはありません。"))
  }

  private func button(
    _ version: Version, _ fields: [(String, String?)], isWhole: Bool
  ) -> Node {
    let action = Action(
      scene.file.address("restore"),
      [("version", "\(version.id)"), ("head", scene.head)] + fields, voice("Bring back", "復元する"),
      isMain: true)
    return tag(
      "div", ["class": "decide", "id": "decide", "data-live": ""],
      action.node(blockedBy: scene.obstacle),
      tag(
        "p", ["class": "dim"],
        isWhole
          ? voice.say(
            "Nothing is lost: the present state stays in the history, and this can be undone.",
            "何も失われません。現在の状態は履歴に残り、元に戻せます。")
          : voice.say("All else stays as it is, and this can be undone.", "ほかはそのままで、元に戻せます。")))
  }
}
