import OpenWOApp
import OpenWOShell

/// Problems of the store, present and future ones.
struct DoctorPage: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }

  func node(_ fields: Fields) throws -> Node {
    let findings = try SyncedDatabase.examine(
      path: scene.file.database, configuration: scene.file.configuration)
    let matter = findings.filter { $0.severity != .ok }
    let fine = findings.filter { $0.severity == .ok }
    return [
      tag("h1", [:], voice.say("Check-up", "点検")),
      matter.isEmpty
        ? tag(
          "p", ["class": "notice"], .mark("✓ "), voice.say("All is well.", "問題は見つかりませんでした。"))
        : tag("ul", ["class": "findings"], all: matter.map(item)),
      tag(
        "details", ["class": "card"],
        tag("summary", [:], voice.say("What was looked at: \(fine.count)", "点検した項目：\(fine.count)")),
        tag("ul", [:], all: fine.map { tag("li", [:], .foreign($0.message)) })),
    ]
  }

  private func item(_ finding: Finding) -> Node {
    let (mark, word) =
      switch finding.severity {
      case .error: ("✕", voice("Error", "エラー"))
      case .warning: ("⚠", voice("Warning", "警告"))
      default: ("ℹ", voice("Note", "お知らせ"))
      }
    return tag(
      "li", ["class": "card is-\(finding.severity.rawValue)"],
      tag(
        "p", [:], .mark(mark + " "), tag("strong", [:], .text(word)), " ", .foreign(finding.message)
      ),
      finding.hint.map { tag("p", [:], tag("code", [:], .foreign($0))) } ?? .none)
  }
}
