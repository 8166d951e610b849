import OpenWOApp
import SystemPackage

/// Asks before two sides are brought together, and shows what would come of it.
struct MergePage: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }

  func node(_ fields: Fields) throws -> Node {
    let source = try MergeChoice.source(fields, scene.store, scene.file)
    let chosen = fields["rule"].flatMap(MergeRule.init(rawValue:)) ?? .cells
    let request = MergeRequest(
      dryRun: true, rule: fields["rule"] == nil ? nil : chosen, rules: MergeChoice.rules(fields))
    let plan = Result { try scene.store.merge(source, request) }
    let picks = ConflictPicks(fields)
    let conflicts = (try? plan.get().conflicts) ?? []
    return [
      tag("h1", [:], voice.say("Bring both sides together?", "両方の変更をまとめますか？")),
      tag("section", ["class": "card"], sides(source), rules(fields, chosen)),
      conflicts.isEmpty ? .none : choosing(conflicts, picks, source, fields),
      tag(
        "div", ["id": "result", "data-live": ""],
        result(picked(plan, picks, source, request), source, fields, picks)),
      differences(source),
    ]
  }

  /// The plan with the sides that were picked.
  private func picked(
    _ plan: Result<MergeResult, any Error>, _ picks: ConflictPicks, _ source: MergeSource,
    _ request: MergeRequest
  ) -> Result<MergeResult, any Error> {
    guard !picks.isEmpty, case .success(let first) = plan else { return plan }
    return Result {
      var request = request
      request.choices = try picks.choices(of: first.conflicts, head: scene.head)
      return try scene.store.merge(source, request)
    }
  }

  private func choosing(
    _ conflicts: [ConflictChoice], _ picks: ConflictPicks, _ source: MergeSource, _ fields: Fields
  ) -> Node {
    let sides = ConflictSides(
      scene: scene, conflicts: conflicts, picks: picks,
      difference: try? scene.store.diff(
        from: .live, to: state(source), rows: .upTo(Self.mostRows)),
      ours: [voice.say("Here now: ", "現在："), scene.live.map(words.side) ?? .none],
      theirs: [voice.say("Other side: ", "取り込む側："), shortName(source)])
    return sides.node(page: fields.count("page") ?? 1) { page in
      var address = address(fields, fields["rule"])
      address.query += picks.fields.compactMap { name, value in value.map { (name, $0) } }
      address.query.append(("page", "\(page)"))
      return address
    }
  }

  /// More rows than these are not looked through for the values of a choice.
  private static let mostRows = 5000

  private var words: VersionWords { VersionWords(scene: scene) }

  private func state(_ source: MergeSource) -> DatabaseState {
    switch source {
    case .version(let id): .version(id)
    case .file(let path): .file(path)
    }
  }

  private func shortName(_ source: MergeSource) -> Node {
    switch source {
    case .version(let id): scene.version("\(id)").map(words.side) ?? .none
    case .file: name(source)
    }
  }

  private func sides(_ source: MergeSource) -> Node {
    tag(
      "p", [:], voice.say("Now here: ", "現在："),
      scene.live.map(VersionWords(scene: scene).writing) ?? .none,
      tag("br"), voice.say("Brought in: ", "取り込む側："), name(source))
  }

  private func name(_ source: MergeSource) -> Node {
    switch source {
    case .version(let id): scene.version("\(id)").map(VersionWords(scene: scene).writing) ?? .none
    case .file(let path): .foreign(path.lastComponent?.string ?? path.string)
    }
  }

  /// The rows in which the other side differs from what is here, each side beside the other.
  private func differences(_ source: MergeSource) -> Node {
    guard
      let found = try? scene.store.diff(from: .live, to: state(source), rows: .upTo(20)),
      !found.equal
    else { return .none }
    return tag(
      "details", ["class": "card"],
      tag("summary", [:], voice.say("Look at the rows of both sides", "両方の行を見る")),
      tag(
        "p", ["class": "dim"],
        voice.say("Before: what is here now. After: the other side.", "変更前は現在の内容、変更後は取り込む側です。")),
      .group(
        found.tables.flatMap { table in
          table.rows.map { RowCard(voice, table, $0).node(take($0, table, source)) }
        }))
  }

  /// A way to take one row from the other side, and no more.
  private func take(
    _ row: DifferenceReport.Row, _ table: DifferenceReport.Table, _ source: MergeSource
  ) -> Node {
    guard case .version(let id) = source, let key = RowCard(voice, table, row).key else {
      return .none
    }
    let address = scene.file.address(
      "restore",
      query: [("version", "\(id)"), ("table", table.table)] + key.map { ("key", $0) })
    return tag(
      "span", ["class": "links"],
      tag("a", ["href": address.description], voice.say("Take only this row…", "この行だけ取り込む…")))
  }

  /// Whose values win if both sides changed the same; each choice is a link.
  private func rules(_ fields: Fields, _ chosen: MergeRule) -> Node {
    let links = MergeChoice.rules.map { rule in
      tag("a", ["href": address(fields, rule.rawValue).description], .text(title(rule)))
        .with("aria-current", "true", if: rule == chosen)
    }
    return [
      tag("p", [:], voice.say("Where both changed the same row:", "同じ行を両方が変更していた場合：")),
      tag("nav", ["class": "tables", "aria-label": voice("Rule", "規則")], all: links),
    ]
  }

  private func address(_ fields: Fields, _ rule: String?) -> Address {
    scene.file.address(
      "merge",
      query: [("version", fields["version"]), ("file", fields["file"]), ("rule", rule)])
  }

  private func title(_ rule: MergeRule) -> String {
    switch rule {
    case .cells: voice("Cell by cell, the later one", "セルごとに新しい方")
    case .newest: voice("The whole row, the later one", "行ごとに新しい方")
    case .ours: voice("Keep what is here now", "現在の内容を優先")
    case .theirs: voice("Take what is brought in", "取り込む側を優先")
    case .union: voice("Keep rows that one side deleted", "片方で削除された行も残す")
    case .singleton: rule.rawValue
    }
  }

  private func result(
    _ plan: Result<MergeResult, any Error>, _ source: MergeSource, _ fields: Fields,
    _ picks: ConflictPicks
  ) -> Node {
    switch plan {
    case .failure(let error):
      // A decision on what is no longer so begins again.
      let again = address(fields, fields["rule"])
      return Failure(error, voice).node(
        lookAgain: picks.isEmpty || error as? StoreError == nil ? nil : again)
    case .success(let plan):
      return tag(
        "section", ["class": "card"],
        tag("h2", [:], voice.say("What would come of it", "まとめた結果")),
        plan.tables.isEmpty
          ? tag("p", [:], voice.say("Nothing: all of it is here already.", "すべて取り込み済みです。")) : .none,
        .group(plan.tables.map { table($0, plan.theirs) }), button(fields, picks))
    }
  }

  private func table(_ table: MergeResult.Table, _ theirs: VersionID) -> Node {
    var parts: [String] = []
    if table.fromTheirs > 0 {
      parts.append(voice("\(voice.rows(table.fromTheirs)) brought in", "\(table.fromTheirs)行を取り込み"))
    }
    if table.fromOurs > 0 {
      parts.append(
        voice("\(voice.rows(table.fromOurs)) of here stay", "現在の\(table.fromOurs)行はそのまま"))
    }
    if table.converged > 0 {
      parts.append(voice("\(voice.rows(table.converged)) have both", "\(table.converged)行は両方の変更"))
    }
    if !table.renumbered.isEmpty {
      parts.append(
        voice(
          "\(voice.rows(table.renumbered.count)) get a new key", "\(table.renumbered.count)行は新しい番号")
      )
    }
    return [
      tag("h3", [:], .foreign(table.table)),
      tag("p", [:], .text(parts.joined(separator: voice("; ", "、")))),
      .group(table.decided.prefix(50).map { decided($0, table.table, theirs) }),
      table.decided.count > 50
        ? tag(
          "p", [:],
          voice.say("and \(table.decided.count - 50) more", "ほか\(table.decided.count - 50)件"))
        : .none,
    ]
  }

  private func decided(_ decision: MergeResult.Decision, _ table: String, _ theirs: VersionID)
    -> Node
  {
    let words = decision.key.compactMap(\.word)
    let row = scene.file.address("row", query: [("table", table)] + words.map { ("key", $0) })
    let winner =
      decision.winner == .ours
      ? voice("what is here now is kept", "現在の内容を優先")
      : voice("what is brought in is taken", "取り込む側を優先")
    let columns =
      decision.columns.isEmpty
      ? voice("the whole row", "行全体") : decision.columns.joined(separator: ", ")
    return tag(
      "p", ["class": "decision"], .mark("≠ "),
      tag("a", ["href": row.description], .foreign(words.joined(separator: ", "))), " ",
      .foreign(columns), voice.say(": both changed it; ", "：両方が変更。"), .text(winner))
  }

  private func button(_ fields: Fields, _ picks: ConflictPicks) -> Node {
    let body: [(String, String?)] =
      [("version", fields["version"]), ("file", fields["file"]), ("rule", fields["rule"])]
      + picks.fields.filter { $0.0 != "head" } + [("head", scene.head)]
    return tag(
      "div", ["class": "decide", "id": "decide"],
      Action(scene.file.address("merge"), body, voice("Bring them in", "取り込む"), isMain: true)
        .node(blockedBy: scene.obstacle),
      tag("p", ["class": "dim"], voice.say("This can be undone.", "元に戻せます。")))
  }
}
