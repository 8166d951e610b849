import ArgumentParser
import OpenWO
import OpenWOApp
import OpenWOFiles

/// `openwo status`.
struct StatusVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say whether the database is up to date.",
    details: """
      Says whether the database is up to date, who has it locked, when it was saved here, and
      which devices have seen it. Changes nothing. With --check it ends with 3 unless the
      database is up to date.
      """,
    examples: ["openwo status", "openwo status Training/openwo.sqlite --json"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @OptionGroup
  var checkOption: CheckOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Say it as an app does, in en or ja, or as LC_ALL and LANG have it with auto.",
      valueName: "language"),
    completion: .list(["auto", "en", "ja"]))
  var lang: String?

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    if let word = try call.text(lang, "lang") { return try appStatus(call, word) }
    let store = try call.open()
    let status = try store.status()
    let report = StatusReport(
      database: try call.database(), status: status, lock: try store.lockReport())
    let isAnswerNo =
      try call.isOn(checkOption.check, "check")
      && (status.state != .synced || status.unpublished > 0)
    return Outcome(report: report, exit: isAnswerNo ? .no : .done)
  }

  /// The whole model, also of a folder that cannot be used; the status to end with says why.
  private func appStatus(_ call: Invocation, _ word: String) throws -> Outcome {
    guard let language = call.language(word) else {
      throw StoreError.usage(
        "there are no texts in '\(String(printable: word.utf8))'",
        hint: "say it in English: openwo status --lang en")
    }
    let (state, failure) = SyncState.ofStore(
      at: try call.database().path, call.configuration())
    var exit = failure.map { ExitCode($0.code) } ?? .done
    if exit == .done, state.status != .synced, try call.isOn(checkOption.check, "check") {
      exit = .no
    }
    return Outcome(report: AppStatusReport(state: state, language: language), exit: exit)
  }
}

extension Invocation {
  /// The language that a word means: its name, that of a locale such as `ja_JP.UTF-8`, or `auto` for that of the surroundings.
  fileprivate func language(_ word: String) -> Language? {
    guard word != "auto" else {
      let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { surroundings.variable($0) }
      return Language(locale: locale.first?.text)
    }
    let name = word.prefix { $0.isLetter }
    return Language(rawValue: String(name))
  }
}
