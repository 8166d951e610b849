import OpenWOApp
import OpenWOShell

/// The store: what happens to it, and the lock.
extension Screen {
  /// Warns that rows of this device are not in the data that is shown.
  func warn(_ state: SyncState) {
    let texts = Catalogue(language, Workouts.profile(path).wording)
    if state.hasChangesToAdd { note(texts[.changesToAdd]) }
    guard state.setAside > 0 else { return }
    note("\(texts.setAside(state.setAside)) workouts \(path) bring-in")
  }

  func tell(_ report: AttachReport?) {
    report.flatMap(Catalogue(language, Workouts.profile(path).wording).attached).map(note)
  }

  func tell(_ outcome: BroughtOver) {
    Catalogue(language, Workouts.profile(path).wording).broughtOver(outcome).map(note)
  }

  func show(_ state: SyncState) {
    for row in SyncSection(state, Workouts.profile(path), language).rows {
      line(row.value.map { "\(row.title): \($0)" } ?? row.title)
    }
  }

  func warnLocal(_ reason: LocalReason?) {
    note(
      say(
        "the folder cannot be used now; what you log is kept on this device for the next start",
        "フォルダが使えません。記録はこの端末に保存され、次回の起動時に取り込まれます。"))
    if case .failed(let error) = reason { complain(error) }
  }

  func tell(_ event: StoreEvent) {
    switch event {
    case .imported(let version, _):
      line(
        say(
          "* another device's version \(version.short) is here",
          "* 別の端末のバージョン\(version.short)を取り込みました"))
    case .captured(let version, let reason):
      line(
        say("* captured \(version.short) (\(reason))", "* バージョン\(version.short)を保存しました"))
    case .published(let version):
      line(say("* published \(version.short)", "* \(version.short)を同期フォルダに置きました"))
    case .settled(let winner, let losers, _):
      line(
        say(
          "* settled: \(winner.short) is live, \(count(losers.count, "version")) in the history",
          "* \(winner.short)が優先されました。ほか\(losers.count)件は履歴にあります"))
    case .joined:
      line(
        say(
          "* two devices had begun apart; the rows of both are here", "* 2台の端末のデータを1つにまとめました"))
    case .locked(let lock):
      line("* " + holder(of: lock) + say("; reading works, logging waits", "。閲覧はできますが、記録は待ちます"))
    case .unlocked: line(say("* unlocked; you can log again", "* ロックが解除されました。記録できます"))
    case .repaired(let version, let reason):
      line(
        say("* put back as version \(version.short): \(reason)", "* バージョン\(version.short)から復元しました"))
    case .problem(let error):
      let texts = Catalogue(language, Workouts.profile(path).wording)
      line(
        say("* problem: \(error.message); \(error.hint)", "* 問題：\(texts.message(for: error))"))
    }
  }

  func show(_ report: LockReport) {
    line(
      say(
        "locked; edit the database with any program, then: workouts \(path) unlock",
        "編集のためロックしました。編集が終わったら解除してください：workouts \(path) unlock"))
    for device in report.waitingFor {
      line(say("  \(device.name) has not answered yet", "  \(device.name)はまだ応答していません"))
    }
  }

  func show(_ report: UnlockReport) {
    line(
      report.changes.isEmpty && !report.schemaChanged
        ? say("unlocked; no rows changed", "ロックを解除しました。変更はありません")
        : say("unlocked", "ロックを解除しました"))
    if report.schemaChanged { line(say("  the tables themselves changed", "  テーブルの構造が変わりました")) }
    for change in report.changes {
      line(
        "  \(name(ofTable: change.table)): "
          + say(
            "\(change.inserted) new, \(change.updated) changed, \(change.deleted) gone",
            "追加\(change.inserted)、変更\(change.updated)、削除\(change.deleted)"))
    }
  }

  /// A table as a person calls it.
  private func name(ofTable table: String) -> String {
    let names = [
      "exercise": "種目", "workout": "ワークアウト", "workoutExercise": "計画", "session": "記録",
      "exerciseLog": "種目の記録", "dailyChallenge": "チャレンジ",
    ]
    return say(table, names[table] ?? table)
  }
}
