import OpenWOApp

/// The lock: who has it, who has not answered, and how it begins and ends.
struct LockSection: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }

  var node: Node {
    tag(
      "section", ["class": "card", "aria-labelledby": "lock-title"],
      tag("h2", ["id": "lock-title"], voice.say("Edit by hand", "手動で編集")),
      scene.status.lock.map(standing) ?? free)
  }

  private var free: Node {
    [
      tag(
        "p", [:],
        voice.say(
          "Lock the database to edit it with any program. Apps keep their hands off until you unlock.",
          "ロックすると、好きなプログラムで編集できます。解除するまでアプリは書き込みません。")),
      tag(
        "form",
        [
          "class": "find", "data-form": scene.file.address("lock").description,
          "data-body": "head=\(scene.head)",
        ],
        tag(
          "input",
          [
            "type": "text", "name": "note", "id": "note", "maxlength": "200", "autocomplete": "off",
            "aria-label": voice("Note for the others", "ほかの人へのメモ"),
            "placeholder": voice("Note for the others", "ほかの人へのメモ"),
          ]),
        tag(
          "button", ["type": "submit", "class": "act", "disabled": ""], voice.say("Lock", "ロック")),
        Action.place),
    ]
  }

  private func standing(_ lock: StoreLock) -> Node {
    lock.device == scene.status.device.id ? own(lock) : other(lock)
  }

  private func own(_ lock: StoreLock) -> Node {
    let path = scene.file.database
    let quoted = "'" + path.replacing("'", with: "'\\''") + "'"
    let commands = ["sqlite3 \(quoted)", "datasette \(quoted)", "sqlitebrowser \(quoted)"]
    return [
      tag(
        "p", ["class": "warning"], .mark("🔒 "),
        voice.say(
          "Locked for editing. Unlock when you are done.", "編集のためロックしました。編集が終わったら解除してください。"),
        note(lock)),
      tag("p", [:], PathNode(voice: voice).node(path)),
      tag(
        "ul", ["class": "commands"],
        all: commands.map { tag("li", [:], PathNode(voice: voice).node($0)) }), answers,
      lock.endsWithProcess
        ? tag(
          "p", [:],
          voice.say("It ends with the program that took it: ", "ロックしたプログラムの終了とともに解除されます："),
          .foreign(lock.program))
        : buttons,
    ]
  }

  private var buttons: Node {
    let export = scene.file.address("download", query: [("form", "json")])
    return [
      tag(
        "p", ["class": "buttons"],
        Action(
          scene.file.address("unlock"), [("head", scene.head)], voice("Unlock", "ロックを解除"),
          isMain: true
        ).node(),
        Action(
          scene.file.address("unlock"), [("head", scene.head), ("discard", "1")],
          voice("Discard the edit", "編集を破棄"),
          confirmation: voice("Really discard? Press again", "本当に破棄しますか？もう一度押す")
        ).node()),
      tag(
        "p", ["class": "dim"],
        voice.say(
          "Discarding puts back the state from before the lock. The edit stays in the history. ",
          "破棄するとロック前の状態に戻ります。編集は履歴に残ります。"),
        tag(
          "a", ["href": export.description, "download": ""],
          voice.say("Export first", "先にエクスポートする"))),
    ]
  }

  private func other(_ lock: StoreLock) -> Node {
    let holder = lock.user
    return [
      LockWords(voice: voice, lock: lock).node,
      tag(
        "details", [:],
        tag("summary", [:], voice.say("Is nobody editing any more?", "もう編集していない場合は？")),
        tag(
          "p", [:],
          voice.say(
            "End the lock only if you know that nobody edits on ",
            "次の端末で誰も編集していないと分かっている場合だけ、ロックを終了してください："),
          .foreign(lock.deviceName), voice.say(".", "。")),
        tag(
          "p", [:],
          Action(
            scene.file.address("force"), [("head", scene.head), ("lock", lock.id)],
            voice("End this lock", "このロックを終了"),
            confirmation: voice(
              "End the lock of \(holder) on \(lock.deviceName)? Press again",
              "\(lock.deviceName)の\(holder)のロックを終了しますか？もう一度押す")
          ).node())),
    ]
  }

  private func note(_ lock: StoreLock) -> Node {
    lock.note.map { [" ", tag("q", ["class": "note"], .foreign($0))] } ?? .none
  }

  /// Which devices have acknowledged the lock and which have not answered.
  private var answers: Node {
    guard let report = scene.lock else { return .none }
    let items =
      report.acknowledgedBy.map {
        tag("li", [:], .mark("✓ "), .foreign($0.name), voice.say(" has let go", "は確認済み"))
      }
      + report.waitingFor.map {
        tag(
          "li", [:], .mark("… "), .foreign($0.name),
          voice.say(" has not answered yet", "はまだ応答していません"))
      }
      + report.newerOn.map {
        tag(
          "li", [:], .mark("⚠ "), .foreign($0.name),
          voice.say(" has something newer that is still on its way", "に、まだ届いていない新しい変更があります"))
      }
    return items.isEmpty ? .none : tag("ul", ["class": "answers"], all: items)
  }
}
