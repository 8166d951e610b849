import OpenWOApp
import OpenWOShell

/// The history of one row, version by version.
struct RowPage: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }

  func node(_ fields: Fields) throws -> Node {
    guard let table = fields["table"], !fields.all("key").isEmpty else {
      throw StoreError(.usage, "the address names no row", hint: "choose one: openwo history")
    }
    let key = fields.all("key")
    let found = try scene.store.history(of: RowsRequest(table: table, key: key))
    let items = found.changes.prefix(200).map { item($0, table, key) }
    return [
      tag(
        "h1", [:], voice.say("History of a row", "行の履歴"), " ",
        tag("small", [:], .foreign(table), " ", .foreign(key.joined(separator: ", ")))),
      items.isEmpty
        ? tag("p", [:], voice.say("No version has such a row.", "この行がある版はありません。"))
        : tag("div", [:], all: items),
      found.unread > 0
        ? tag(
          "p", ["class": "dim"],
          voice.say(
            "\(found.unread) older versions are no longer kept and were not looked into.",
            "保存期間を過ぎた\(found.unread)個の版は調べていません。")) : .none,
    ]
  }

  private func item(_ change: RowHistory.Change, _ table: String, _ key: [String]) -> Node {
    var shape = ChangedTable(table: table)
    (shape.oldColumns, shape.newColumns) = (change.oldColumns, change.newColumns)
    let row = ChangedRow(key: key.map { .text($0) }, old: change.old, new: change.new)
    let card = RowCard(voice, shape, row)
    let words = VersionWords(scene: scene)
    let then = scene.file.address(
      "restore",
      query: [("version", "\(change.version.id)"), ("table", table)] + key.map { ("key", $0) })
    return [
      tag(
        "h2", ["class": "day"], words.side(change.version), " · ",
        .text(words.reason(change.version))),
      card.node(
        change.new == nil
          ? .none
          : tag(
            "span", ["class": "links"],
            tag("a", ["href": then.description], voice.say("Bring this state back…", "この状態に戻す…")))),
    ]
  }
}
