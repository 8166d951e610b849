import ExampleShared
import OpenWOApp
import OpenWOShell
import SystemPackage

/// What a person sees: the terminal is the screen.
struct Screen {
  /// The database as the person named it, for the commands that are suggested.
  let path: String
  var language = Language.en

  func say(_ en: String, _ ja: String) -> String { language == .ja ? ja : en }

  func line(_ text: String) {
    Terminal.write(text, to: .standardOutput)
  }

  /// Says something that is not what was asked for.
  func note(_ text: String) {
    Terminal.write("workouts: \(text)", to: .standardError)
  }
}

/// Messages about unusual states.
extension Screen {
  func warn(of lock: StoreLock) {
    note(holder(of: lock) + say("; this is the state from before", "。編集前の状態を表示しています。"))
  }

  func offerReading(_ lock: StoreLock) {
    note(holder(of: lock) + say("; nothing was written", "。何も保存されていません。"))
    note(say("reading works meanwhile: ", "閲覧はできます：") + "workouts \(path) list")
  }

  func complain(_ error: StoreError) {
    if language == .ja {
      note(Catalogue(.ja, Workouts.profile(path).wording).message(for: error))
      return
    }
    note("error: \(error.message)")
    note("hint: \(error.hint)")
  }

  /// Says why something failed: in English with all that the store says, in Japanese in the words of the app.
  func tell(_ error: any Error, _ told: String) {
    let texts = Catalogue(language, Workouts.profile(path).wording)
    guard language == .en, let error = error as? StoreError else {
      note(told)
      if (error as? StoreError)?.code == .brokenReferences {
        note("編集を取り消すコマンド：workouts \(path) unlock --discard")
      }
      return
    }
    complain(error)
    if told == texts[.folderGone] { note(told) }
  }

  func holder(of lock: StoreLock) -> String {
    let note = lock.note.map { say(": \($0)", "（\($0)）") } ?? ""
    return say("locked by \(lock.holder)\(note)", "\(lock.deviceName)で編集中です\(note)")
  }
}
