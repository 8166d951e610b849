import OpenWOApp
import OpenWOShell

/// The changes between two versions, by table and row.
struct DiffPage: Sendable {
  let scene: Scene
  private static let size = 50

  private var voice: Voice { scene.voice }
  private var words: VersionWords { VersionWords(scene: scene) }

  func node(_ fields: Fields) throws -> Node {
    guard let old = scene.version(fields["from"]), let new = scene.version(fields["to"]) else {
      throw StoreError(
        .noSuchVersion, "the address names a version that is not here",
        hint: "choose one: openwo history")
    }
    let page = min(max(fields.count("page") ?? 1, 1), 1000)
    let report = try scene.differences.rows(scene.store, old.id, new.id, upTo: page * Self.size)
    let chosen = fields["table"]
    let tables = report.tables.filter { chosen == nil || $0.table == chosen }
    return [
      tag("h1", [:], voice.say("What changed", "変更内容")), sides(old, new),
      report.equal
        ? tag("p", [:], voice.say("Both have the same content.", "どちらも同じ内容です。")) : .none,
      structure(report), contents(report, old, new, chosen),
      .group(tables.map { section($0, old, new, page, isAlone: chosen != nil) }),
    ]
  }

  private func sides(_ old: Version, _ new: Version) -> Node {
    func side(_ title: String, _ version: Version) -> Node {
      tag(
        "div", ["class": "side"], tag("div", ["class": "dim"], .text(title)),
        tag("div", [:], words.side(version)),
        tag("div", [:], .text(words.reason(version)), " ", words.note(version)))
    }
    let isNow = new.id == scene.live?.id
    return tag(
      "div", ["class": "card sides-head"], side(voice("Before", "変更前"), old),
      tag("div", ["class": "arrow", "aria-hidden": "true"], "→"),
      side(isNow ? voice("After (now)", "変更後（現在）") : voice("After", "変更後"), new))
  }

  private func contents(
    _ report: DifferenceReport, _ old: Version, _ new: Version, _ chosen: String?
  ) -> Node {
    guard report.tables.count > 1 else { return .none }
    func link(_ table: String?, _ title: Node) -> Node {
      tag("a", ["href": address(old, new, table, 1).description], title)
        .with("aria-current", "true", if: chosen == table)
    }
    return tag(
      "nav", ["class": "tables", "aria-label": voice("Tables", "テーブル")],
      all: [link(nil, voice.say("All tables", "すべてのテーブル"))]
        + report.tables.map { link($0.table, .foreign($0.table)) })
  }

  private func address(_ old: Version, _ new: Version, _ table: String?, _ page: Int) -> Address {
    scene.file.address(
      "diff",
      query: [
        ("from", "\(old.id)"), ("to", "\(new.id)"), ("table", table),
        ("page", page > 1 ? "\(page)" : nil),
      ])
  }

  private func section(
    _ table: DifferenceReport.Table, _ old: Version, _ new: Version, _ page: Int, isAlone: Bool
  ) -> Node {
    let count = table.inserted + table.updated + table.deleted
    let first = (page - 1) * Self.size
    let rows = table.rows.dropFirst(isAlone ? first : 0).prefix(isAlone ? Self.size : 20)
    let pages = max(1, (count + Self.size - 1) / Self.size)
    return tag(
      "section", ["class": "card"],
      tag("h2", [:], .foreign(table.table)),
      tag("p", [:], Chips(voice: voice).chip(ChangedTable(table), named: false)),
      table.notCompared.map { tag("p", [:], voice.say("Not compared: ", "比較できません："), .foreign($0)) }
        ?? .none,
      tag("p", ["class": "links"], wholeTable(table, old)),
      .group(rows.map { RowCard(voice, table, $0) }.map { $0.node(bringBack($0, old)) }),
      isAlone
        ? Pager(voice: voice, page: page, pages: pages) { address(old, new, table.table, $0) }.node
        : more(count - rows.count, address(old, new, table.table, 1)))
  }

  private func more(_ count: Int, _ address: Address) -> Node {
    guard count > 0 else { return .none }
    return tag(
      "p", [:],
      tag(
        "a", ["href": address.description],
        voice.say("\(count) more rows of this table", "このテーブルの残り\(count)行")))
  }

  private func wholeTable(_ table: DifferenceReport.Table, _ old: Version) -> Node {
    guard table.notCompared == nil, old.id != scene.live?.id else { return .none }
    let address = scene.file.address(
      "restore", query: [("version", "\(old.id)"), ("table", table.table)])
    return tag(
      "a", ["href": address.description],
      voice.say("Make the whole table what it was before…", "テーブル全体を変更前に戻す…"))
  }

  private func bringBack(_ card: RowCard, _ old: Version) -> Node {
    RestoreLink(scene: scene).node(card, old)
  }

  private func structure(_ report: DifferenceReport) -> Node {
    guard !report.schemaChanges.isEmpty else { return .none }
    let rows = report.schemaChanges.map { change in
      tag(
        "tr", [:],
        tag("th", ["scope": "row"], .text(kind(change.kind)), " ", .foreign(change.name)),
        tag("td", ["class": "old", "data-label": voice("Before", "変更前")], code(change.old)),
        tag("td", ["class": "new", "data-label": voice("After", "変更後")], code(change.new)))
    }
    return tag(
      "section", ["class": "card"], tag("h2", [:], voice.say("Structure", "構造")),
      tag("table", ["class": "sides"], tag("tbody", [:], all: rows)))
  }

  private func code(_ text: String?) -> Node { text.map { tag("code", [:], .foreign($0)) } ?? "—" }

  private func kind(_ kind: String) -> String {
    switch kind {
    case "added": voice("Added", "追加")
    case "removed": voice("Removed", "削除")
    default: voice("Changed", "変更")
    }
  }
}

/// A link to the page that brings one row back, and one to what became of it.
struct RestoreLink: Sendable {
  let scene: Scene

  func node(_ card: RowCard, _ old: Version) -> Node {
    guard let key = card.key else { return .none }
    let voice = scene.voice
    let named: [(String, String?)] = [("table", card.table.table)] + key.map { ("key", $0) }
    let title =
      switch card.row.kind {
      case "deleted": voice("Bring back…", "復元…")
      case "inserted": voice("Take out again…", "取り除く…")
      default: voice("Put the old values back…", "前の値に戻す…")
      }
    let restore = scene.file.address("restore", query: [("version", "\(old.id)")] + named)
    let past = scene.file.address("row", query: named)
    return tag(
      "span", ["class": "links"],
      tag("a", ["class": "strong", "href": restore.description], .text(title)),
      tag("a", ["href": past.description], voice.say("Its history", "この行の履歴")))
  }
}
