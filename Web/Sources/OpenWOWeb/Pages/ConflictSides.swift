import OpenWOApp

/// Lets a person choose a side for each row and cell that both sides changed.
struct ConflictSides: Sendable {
  let scene: Scene
  let conflicts: [ConflictChoice]
  let picks: ConflictPicks
  /// What differs between here and the other side, with its rows.
  let difference: DifferenceReport?
  let ours: Node
  let theirs: Node
  /// How many rows a page has.
  static let size = 25

  private var voice: Voice { scene.voice }

  /// One row with its cells that are at odds.
  private struct Row {
    var table: String
    var key: [DataValue]
    var items: [(place: Int, conflict: ConflictChoice)] = []
  }

  private var rows: [Row] {
    conflicts.enumerated().reduce(into: []) { rows, item in
      let conflict = item.element
      if rows.last?.table != conflict.table || rows.last?.key != conflict.key {
        rows.append(Row(table: conflict.table, key: conflict.key))
      }
      rows[rows.count - 1].items.append((item.offset, conflict))
    }
  }

  /// The rows of a page, and links to the other pages.
  func node(page: Int, _ address: @escaping (Int) -> Address) -> Node {
    let rows = rows
    let pages = max(1, (rows.count + Self.size - 1) / Self.size)
    let page = min(page, pages)
    let shown = rows.dropFirst((page - 1) * Self.size).prefix(Self.size)
    return tag(
      "section",
      [
        "class": "card", "id": "choices", "data-head": scene.head,
        "data-mark": ConflictPicks.mark(of: conflicts), "aria-labelledby": "choices-title",
      ],
      tag(
        "h2", ["id": "choices-title"],
        .text(
          voice(
            rows.count == 1
              ? "Both changed one row: choose" : "Both changed \(rows.count) rows: choose",
            "両方が変更した\(rows.count)行：選んでください"))),
      .group(shown.map(card)),
      tag(
        "div", ["id": "choice-pages", "data-live": ""],
        Pager(voice: voice, page: page, pages: pages) { address($0) }.node))
  }

  private func card(_ row: Row) -> Node {
    let id = "row-\(row.items.first?.place ?? 0)"
    let name = row.key.map { $0.word ?? "\($0)" }.joined(separator: ", ")
    return tag(
      "article", ["class": "rowcard is-changed"],
      tag(
        "header", [:], tag("span", ["class": "kind"], .mark("≠ "), .foreign(row.table)),
        tag("span", ["class": "name"], .foreign(name)),
        row.items.count > 1 ? tag("span", ["class": "links"], whole(row)) : .none),
      tag(
        "table", ["class": "sides choices"],
        tag(
          "thead", [:],
          tag(
            "tr", [:], tag("th", ["scope": "col"], voice.say("Column", "列")),
            tag("th", ["scope": "col", "id": "\(id)-ours"], ours),
            tag("th", ["scope": "col", "id": "\(id)-theirs"], theirs))),
        tag("tbody", [:], all: row.items.map { line($0.place, $0.conflict, id) })))
  }

  /// Buttons that take all of a row from one side.
  private func whole(_ row: Row) -> Node {
    func button(_ side: MergeResult.Side, _ title: String) -> Node {
      tag(
        "button",
        [
          "type": "button", "class": "copy", "disabled": "", "data-side": side.rawValue,
          "data-choose": row.items.map { "\($0.place)" }.joined(separator: "."),
        ], .text(title))
    }
    return [
      button(.ours, voice("All as it is here", "すべて現在の内容")),
      button(.theirs, voice("All from the other side", "すべて取り込む側")),
    ]
  }

  private func line(_ place: Int, _ conflict: ConflictChoice, _ id: String) -> Node {
    let (mine, other) = values(conflict)
    func cell(_ side: MergeResult.Side, _ value: Node) -> Node {
      let radio = tag(
        "input",
        [
          "type": "radio", "name": "c\(place)", "value": side.rawValue, "data-choice": "\(place)",
          "aria-labelledby": "c\(place)-name c\(place)-\(side.rawValue) \(id)-\(side.rawValue)",
        ]
      ).with("checked", if: picks.side(place, conflict) == side)
      return tag(
        "td",
        ["data-label": side == .ours ? voice("Here now", "現在") : voice("Other side", "取り込む側")],
        tag(
          "label", ["class": "choice"], radio,
          tag("span", ["id": "c\(place)-\(side.rawValue)"], value)))
    }
    return tag(
      "tr", [:],
      tag(
        "th", ["scope": "row", "id": "c\(place)-name"],
        conflict.column.map(Node.foreign) ?? voice.say("The whole row", "行全体")),
      cell(.ours, mine), cell(.theirs, other))
  }

  /// What is here and what the other side has.
  private func values(_ conflict: ConflictChoice) -> (Node, Node) {
    guard let table = difference?.tables.first(where: { $0.table == conflict.table }),
      let row = table.rows.first(where: { $0.key == conflict.key })
    else {
      return (voice.say("as it is here", "現在の内容"), voice.say("as it is there", "取り込む側の内容"))
    }
    guard let column = conflict.column else {
      return (line(table.oldColumns, row.old), line(table.newColumns, row.new))
    }
    func value(_ names: [String], _ values: [DataValue]?) -> DataValue? {
      values.flatMap { values in names.firstIndex(of: column).map { values[$0] } }
    }
    return ValueNode(voice: voice).pair(
      value(table.oldColumns, row.old), value(table.newColumns, row.new), marks: ("ins", "ins"))
  }

  private func line(_ names: [String], _ values: [DataValue]?) -> Node {
    guard let values else { return tag("span", ["class": "gone"], voice.say("deleted", "削除")) }
    return .group(
      zip(names, values).map { name, value in
        tag(
          "span", ["class": "pair"], tag("span", ["class": "dim"], .foreign(name), ": "),
          ValueNode(voice: voice).node(value))
      })
  }
}
