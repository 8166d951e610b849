import HTTPTypes
import OpenWOApp
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The settings of one app: where its data is, and the state of its folder.
struct AppPage: Sendable {
  let app: KnownApp
  let voice: Voice
  let site: Site
  let events: Address

  var node: Node {
    let texts = app.texts(voice.language)
    return Page(voice, site).frame(
      title: "\(texts[.title]) – \(app.title(voice.language))", here: Address(["app", app.name]),
      events: events,
      [
        tag(
          "h1", ["tabindex": "-1", "data-focus": ""], .text(texts[.title]), " ",
          tag("small", [:], .foreign(app.title(voice.language)))),
        AppSection(app: app, voice: voice, options: site.options).node, folder, data, log, pages,
      ])
  }

  private var folder: Node {
    tag(
      "section", ["class": "card", "aria-labelledby": "folder-title"],
      tag("h2", ["id": "folder-title"], voice.say("Sync folder", "同期フォルダ")),
      app.description.syncFolder.map(known)
        ?? tag("p", [:], voice.say("None is set up.", "設定されていません。")))
  }

  private func known(_ path: String) -> Node {
    let finding = app.finding
    let words =
      switch finding.availability {
      case .available: voice("It is there and can be written.", "フォルダがあり、書き込めます。")
      case .noAccount: voice("It is not there.", "フォルダがありません。")
      case .restricted:
        voice(
          "The folder cannot be written. Check its permissions.", "フォルダに書き込めません。アクセス権を確認してください。")
      case .unknown where finding == .notYet: voice("Checking...", "確認中...")
      case .unknown: voice("It does not answer.", "応答がありません。")
      }
    let free =
      finding.availability == .available
      ? try? FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize] : nil
    return [
      tag("p", [:], PathNode(voice: voice).node(path)), tag("p", [:], .text(words)),
      finding.problem == .quotaExceeded
        ? tag("p", [:], voice.say("There is no room left.", "空き容量がありません。"))
        : free.flatMap { Int64("\($0)") }.map {
          tag("p", ["class": "dim"], voice.say("Free: ", "空き容量："), .text(voice.size($0)))
        } ?? .none,
      tag(
        "p", ["class": "dim"],
        app.description.wording == .iCloud
          ? voice.say("System Settings > Apple Account > iCloud", "システム設定 > Apple Account > iCloud")
          : voice.say(
            "Look at the settings of the service that syncs this folder.",
            "このフォルダを同期しているサービスの設定を確認してください。")),
    ]
  }

  private var data: Node {
    tag(
      "section", ["class": "card", "aria-labelledby": "data-title"],
      tag("h2", ["id": "data-title"], voice.say("This device's own data", "この端末のデータ")),
      tag("p", [:], PathNode(voice: voice).node(app.description.localFile)),
      app.description.environment == "production"
        ? .none
        : tag(
          "p", ["class": "dim"], voice.say("Environment: ", "環境："),
          .foreign(app.description.environment)))
  }

  /// How this device's data came into the folder, each time.
  private var log: Node {
    let reports = app.reports
    guard !reports.isEmpty, app.description.display != "nothing" else { return .none }
    let texts = app.texts(voice.language)
    let items = reports.prefix(50).map { report in
      tag(
        "li", [:], tag("span", ["class": "dim"], voice.time(report.at)), " ",
        .foreign(texts.logged(report)),
        report.failure.map {
          tag(
            "details", [:], tag("summary", [:], voice.say("Details", "詳細")),
            tag("p", [:], .foreign($0)))
        } ?? .none,
        report.keptAt.map {
          tag("p", ["class": "dim"], voice.say("Kept at: ", "保管先："), tag("code", [:], .foreign($0)))
        } ?? .none)
    }
    return tag(
      "section", ["class": "card", "id": "log", "aria-labelledby": "log-title"],
      tag("h2", ["id": "log-title"], voice.say("Data that was brought in", "データの移行の記録")),
      tag("ul", ["class": "answers"], all: items))
  }

  private var pages: Node {
    // An app that shows nothing of syncing has its switch here, and no more.
    guard app.description.syncedFile != nil, app.description.display != "nothing" else {
      return .none
    }
    func link(_ page: String, _ title: String) -> Node {
      tag(
        "a", ["class": "row", "href": Address(["app", app.name, page]).description], .text(title))
    }
    return tag(
      "section", ["class": "card", "aria-label": voice("Data", "データ")],
      link("file", voice("Overview", "概要")), link("history", voice("History", "履歴")),
      link("conflicts", voice("Conflicts", "競合")))
  }
}

/// Carrying out what a person asked for in the section of an app.
struct AppChange: Sendable {
  let app: KnownApp
  let site: Site
  let voice: Voice

  /// Does what a request asks for; nil if it is about the app's file and no setting.
  func reply(_ verb: String, _ fields: Fields) -> Reply? {
    switch verb {
    case "switch":
      guard app.description.hasSwitch else {
        return Reply(
          tag("p", [:], voice.say("This app has no switch.", "このアプリに切り替えはありません。")),
          status: .conflict, isPiece: true)
      }
      return attempt {
        try app.setSyncEnabled(fields["on"] == "1")
        return .none
      }
    case "sync" where fields["stay"] == "1":
      guard let path = app.description.syncedFile else { return nil }
      return attempt {
        let store = try SyncedDatabase(path: path, configuration: site.options.configuration)
        if try store.status().lock != nil {
          return said(voice("Locked. It syncs after the unlock.", "ロック中です。解除後に同期します。"))
        }
        if case .unsettled(let error) = try store.reconcile().outcome { throw error }
        let time = voice.clock(voice.now)
        return said(voice("Checked at \(time)", "\(time)に確認しました"))
      }
    case "told":
      return attempt {
        if let news = fields["news"] { try app.noteTold(String(news.prefix(100))) }
        return .none
      }
    default: return nil
    }
  }

  private func said(_ text: String) -> Node { tag("span", [:], .text(text)) }

  private func attempt(_ body: () throws -> Node) -> Reply {
    do { return Reply(try body(), isPiece: true) } catch {
      let failure = Failure(error, voice)
      return Reply(failure.node, status: failure.status, isPiece: true)
    }
  }
}
