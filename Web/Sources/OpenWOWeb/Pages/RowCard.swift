import OpenWOApp

/// One row that differs: its values before and after, next to each other, and ways to bring it
/// back.
struct RowCard: Sendable {
  let voice: Voice
  let table: ChangedTable
  let row: ChangedRow

  init(_ voice: Voice, _ table: ChangedTable, _ row: ChangedRow) {
    (self.voice, self.table, self.row) = (voice, table, row)
  }

  init(_ voice: Voice, _ table: DifferenceReport.Table, _ row: DifferenceReport.Row) {
    self.init(voice, ChangedTable(table), ChangedRow(row))
  }

  /// The words that name the row; nil if no words do.
  var key: [String]? {
    guard table.isKeyed, !row.key.isEmpty else { return nil }
    let words = row.key.compactMap(\.word)
    return words.count == row.key.count ? words : nil
  }

  func node(_ more: Node) -> Node {
    tag(
      "article", ["class": "rowcard \(kindClass)"],
      tag(
        "header", [:],
        tag("span", ["class": "kind"], .mark(mark + " "), .text(kind)),
        tag("span", ["class": "name"], .foreign(table.table), " ", .foreign(name)), more),
      cells)
  }

  private var kindClass: String {
    switch row.kind {
    case "inserted": "is-added"
    case "deleted": "is-gone"
    default: "is-changed"
    }
  }

  private var mark: String {
    switch row.kind {
    case "inserted": "+"
    case "deleted": "−"
    default: "≠"
    }
  }

  private var kind: String {
    switch row.kind {
    case "inserted": voice("Added", "追加")
    case "deleted": voice("Deleted", "削除")
    default: voice("Changed", "変更")
    }
  }

  private var name: String {
    !table.isKeyed ? "" : row.key.map { $0.word ?? "\($0)" }.joined(separator: ", ")
  }

  private var cells: Node {
    switch (row.old, row.new) {
    case (let old?, let new?): changed(old, new)
    case (let old?, nil): single(table.oldColumns, old)
    case (nil, let new?): single(table.newColumns, new)
    case (nil, nil): .none
    }
  }

  private func single(_ columns: [String], _ values: [DataValue]) -> Node {
    let values = zip(columns, values).map { name, value in
      tag(
        "div", ["class": "cell"], tag("dt", [:], .foreign(name)),
        tag("dd", [:], ValueNode(voice: voice).node(value)))
    }
    return tag("dl", ["class": "cells"], all: values)
  }

  private func changed(_ old: [DataValue], _ new: [DataValue]) -> Node {
    let before = Dictionary(zip(table.oldColumns, old), uniquingKeysWith: { first, _ in first })
    let after = Dictionary(zip(table.newColumns, new), uniquingKeysWith: { first, _ in first })
    let names = table.newColumns + table.oldColumns.filter { after[$0] == nil }
    let differing = names.filter { before[$0] != after[$0] }
    let same = names.filter { before[$0] == after[$0] }
    let rows = differing.map { name in
      let (one, other) = ValueNode(voice: voice).pair(before[name], after[name])
      return tag(
        "tr", [:], tag("th", ["scope": "row"], .mark("≠ "), .foreign(name)),
        tag("td", ["class": "old", "data-label": voice("Before", "変更前")], one),
        tag("td", ["class": "new", "data-label": voice("After", "変更後")], other))
    }
    let table = tag(
      "table", ["class": "sides"],
      tag(
        "thead", [:],
        tag(
          "tr", [:], tag("th", ["scope": "col"], voice.say("Column", "列")),
          tag("th", ["scope": "col"], voice.say("Before", "変更前")),
          tag("th", ["scope": "col"], voice.say("After", "変更後")))), tag("tbody", [:], all: rows))
    guard !same.isEmpty else { return table }
    let title =
      same.count == 1
      ? voice("1 column is the same", "1列は同じ")
      : voice("\(same.count) columns are the same", "\(same.count)列は同じ")
    return [
      table,
      tag(
        "details", [:], tag("summary", [:], .text(title)),
        single(same, same.map { after[$0] ?? .null })),
    ]
  }
}
