import OpenWOApp

/// The last action, at the top of the next page, with a way back.
struct Notice: Sendable {
  let scene: Scene
  let fields: Fields

  private var voice: Voice { scene.voice }

  var node: Node {
    guard let verb = fields["done"], let text = text(verb) else { return .none }
    return tag(
      "div", ["class": "notice", "role": "status", "id": "notice"],
      tag("p", [:], .mark("✓ "), .text(text)), changes, undo(verb))
  }

  private func text(_ verb: String) -> String? {
    let (table, name) = (fields["table"] ?? "", fields["name"] ?? "")
    return switch verb {
    case "sync": voice("Checked at \(voice.clock(voice.now))", "\(voice.clock(voice.now))に確認しました")
    case "lock":
      voice(
        "Locked for editing. Unlock when you are done.", "編集のためロックしました。編集が終わったら解除してください。")
    case "unlock":
      fields["version"] == nil
        ? voice("Unlocked. Nothing was edited.", "ロックが解除されました。変更はありません。")
        : voice("Unlocked. The edit is kept as one version.", "ロックが解除されました。編集は1つの版として保存されました。")
    case "discard":
      voice(
        "Unlocked, and the edit is discarded. It is kept in the history.",
        "ロックを解除し、編集を破棄しました。編集は履歴に残っています。")
    case "force": voice("The other lock has ended.", "相手のロックを終了しました。")
    case "restore": voice("Brought back. It is a new version on top.", "復元しました。新しい版として追加されました。")
    case "restore-row": voice("Brought back the row of \(table).", "\(table)の行を復元しました。")
    case "restore-table": voice("Brought back the table \(table).", "テーブル\(table)を復元しました。")
    case "undo": voice("Taken back.", "元に戻しました。")
    case "pin": voice("The version is called \(name) now.", "版に「\(name)」という名前を付けました。")
    case "rename": voice("The version is called \(name) now.", "版の名前を「\(name)」に変更しました。")
    case "unpin": voice("The name \(name) is taken away.", "「\(name)」という名前を外しました。")
    case "merge": voice("Brought together. The rows of both are here.", "まとめました。両方の行がここにあります。")
    default: nil
    }
  }

  /// Its result, table by table.
  private var changes: Node {
    guard let version = scene.version(fields["version"]),
      let previous = scene.version(fields["previous"]), version.id != previous.id,
      let found = try? scene.differences.counts(scene.store, previous.id, version.id)
    else { return .none }
    let address = scene.file.address(
      "diff", query: [("from", "\(previous.id)"), ("to", "\(version.id)")])
    return tag(
      "p", [:], Chips(voice: voice).node(found), " ",
      tag("a", ["href": address.description], voice.say("What changed", "変更内容")))
  }

  private func undo(_ verb: String) -> Node {
    guard let previous = scene.version(fields["previous"]) else { return .none }
    // A discarded edit is brought back; all else goes back to what was live before.
    guard verb == "discard" || scene.version(fields["version"])?.id == scene.live?.id,
      scene.live?.id != previous.id
    else { return .none }
    return tag(
      "p", [:],
      Action(
        scene.file.address("restore"),
        [("version", "\(previous.id)"), ("head", scene.head), ("undo", "1")],
        verb == "discard"
          ? voice("Bring the edit back", "編集を復元") : voice("Undo", "元に戻す")
      ).node(blockedBy: scene.obstacle))
  }
}

/// A button that asks the server for a change, by way of the script.
struct Action: Sendable {
  let address: Address
  let fields: [(String, String?)]
  let title: String
  /// Words that a second press within five seconds has to confirm.
  var confirmation: String?
  var isMain = false

  init(
    _ address: Address, _ fields: [(String, String?)], _ title: String, confirmation: String? = nil,
    isMain: Bool = false
  ) {
    (self.address, self.fields, self.title) = (address, fields, title)
    (self.confirmation, self.isMain) = (confirmation, isMain)
  }

  /// The button alone.
  var button: Node {
    let body = Address([], fields).description.dropFirst(2)
    let button = tag(
      "button",
      [
        "type": "button", "class": isMain ? "act main" : "act",
        "data-post": address.description, "data-body": String(body), "disabled": "",
      ], .text(title))
    return confirmation.map { button.with("data-confirm", $0) } ?? button
  }

  /// The button with a place for its answer; one that is blocked says why.
  func node(blockedBy reason: String? = nil, id: String = "") -> Node {
    guard let reason else { return [button, Self.place] }
    return [
      button.with("data-blocked").with("title", reason),
      tag("span", ["class": "reason"], .text(reason)),
    ]
  }

  /// The place for the answer of a failed change.
  static let place = tag("span", ["class": "result"])
}

/// How many rows of which tables changed, in a line.
struct Chips: Sendable {
  let voice: Voice

  func node(_ report: DifferenceReport, limit: Int = 6) -> Node {
    if report.equal { return tag("span", ["class": "dim"], voice.say("same content", "同じ内容")) }
    var nodes = report.tables.prefix(limit).map { chip(ChangedTable($0)) }
    if report.tables.count > limit {
      let more = report.tables.count - limit
      nodes.append(
        tag("span", ["class": "chip"], voice.say("and \(more) more tables", "ほか\(more)テーブル")))
    }
    if !report.schemaChanges.isEmpty {
      let count = report.schemaChanges.count
      nodes.append(tag("span", ["class": "chip"], voice.say("structure: \(count)", "構造：\(count)")))
    }
    return tag("span", ["class": "chips"], all: nodes)
  }

  /// The counts of one table.
  func chip(_ table: ChangedTable, named: Bool = true) -> Node {
    var parts: [Node] = named ? [.foreign(table.table)] : []
    func add(_ count: Int, _ kind: String, _ en: String, _ ja: String, _ mark: String) {
      guard count > 0 else { return }
      parts.append(" ")
      parts.append(
        tag(
          "span", ["class": kind],
          .text(voice("\(mark)\(count) \(en)", "\(mark)\(count)\(ja)"))))
    }
    add(table.inserted, "added", "added", "件追加", "+")
    add(table.updated, "changed", "changed", "件変更", "~")
    add(table.deleted, "gone", "deleted", "件削除", "−")
    if table.notCompared != nil { parts.append(voice.say(" not compared", " 比較不可")) }
    return tag("span", ["class": "chip"], all: parts)
  }
}
