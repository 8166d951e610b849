import HTTPTypes
import OpenWOApp
import OpenWOShell
import SystemPackage

/// Answers what is asked about one store: its pages, its pieces of pages, its downloads.
struct StoreAnswer: Sendable {
  let site: Site
  let voice: Voice
  let file: StoreFile
  /// The address at which its pages are told of changes; nil where no page is made.
  var events: Address?

  /// The page at the end of an address.
  func page(_ path: [String], _ fields: Fields) -> Reply {
    do {
      let stores = Self.ofVersions.contains(path.first ?? "") ? site.stores : nil
      let scene = try Scene(file, voice, site.differences, stores)
      switch path.first {
      case nil:
        return reply(scene, .overview, OverviewPage(scene: scene).node(fields), path, fields)
      case "history":
        return reply(scene, .history, HistoryPage(scene: scene).node(fields), path, fields)
      case "find": return reply(scene, .history, FindPage(scene: scene).node(fields), path, fields)
      case "diff":
        return reply(scene, .history, try DiffPage(scene: scene).node(fields), path, fields)
      case "row":
        return reply(scene, .history, try RowPage(scene: scene).node(fields), path, fields)
      case "restore":
        return reply(scene, .history, try RestorePage(scene: scene).node(fields), path, fields)
      case "conflicts":
        return reply(scene, .conflicts, try ConflictsPage(scene: scene).node(fields), path, fields)
      case "merge":
        return reply(scene, .conflicts, try MergePage(scene: scene).node(fields), path, fields)
      case "doctor":
        return reply(scene, .doctor, try DoctorPage(scene: scene).node(fields), path, fields)
      case "summary": return try summary(scene, fields)
      case "download": return try Download(scene: scene).reply(fields) ?? site.notFound(voice)
      default: return site.notFound(voice)
      }
    } catch {
      return failed(error)
    }
  }

  /// The pages that read versions and never the live file, which a kept store would hold open.
  private static let ofVersions: Set<String> = ["history", "summary", "find", "diff", "row"]

  private func reply(
    _ scene: Scene, _ tab: Tab, _ main: Node, _ path: [String], _ fields: Fields
  ) -> Reply {
    var here = Address(file.base + path)
    here.query = fields.pairs.filter { $0.name != "done" }
    return Reply(
      Page(voice, site).frame(
        title: "\(tab.name(voice)) – \(file.name)", here: here,
        events: events, tabs: tabs(tab),
        [Notice(scene: scene, fields: fields).node, main]))
  }

  /// The parts of a store's pages.
  enum Tab: String, CaseIterable {
    case overview, history, conflicts, doctor

    func name(_ voice: Voice) -> String {
      switch self {
      case .overview: voice("Overview", "概要")
      case .history: voice("History", "履歴")
      case .conflicts: voice("Conflicts", "競合")
      case .doctor: voice("Check-up", "点検")
      }
    }
  }

  private func tabs(_ current: Tab) -> Node {
    tag(
      "nav", ["class": "tabs", "aria-label": voice("Pages", "ページ")],
      all: Tab.allCases.map { tab in
        let address = tab == .overview ? file.address() : file.address(tab.rawValue)
        return tag("a", ["href": address.description], .text(tab.name(voice)))
          .with("aria-current", "page", if: tab == current)
      })
  }

  /// The changes of one version, as a part of the timeline.
  private func summary(_ scene: Scene, _ fields: Fields) throws -> Reply {
    guard let version = scene.version(fields["version"]) else { return site.notFound(voice) }
    return Reply(
      HistoryPage(scene: scene).summary(of: version, patience: .seconds(60)), isPiece: true)
  }

  /// The page of a store that cannot be opened or looked into now.
  private func failed(_ error: any Error) -> Reply {
    Reply(
      Page(voice, site).frame(
        title: file.name, here: file.address(), events: events,
        tabs: tabs(.overview),
        tag(
          "div", ["id": "failed", "data-live": ""], tag("h1", [:], .foreign(file.name)),
          Failure(error, voice).node)))
  }
}

/// The reason for a failure: a sentence for people first, details below.
struct Failure: Sendable {
  let error: StoreError
  let voice: Voice

  init(_ error: any Error, _ voice: Voice) {
    self.error =
      error as? StoreError ?? StoreError(.io, "\(error)", hint: "look closer: openwo doctor")
    self.voice = voice
  }

  /// The sentence for people.
  var sentence: String {
    switch error.code {
    case .busy:
      voice(
        "Another program is using the data. Nothing was changed; try again in a moment.",
        "別のプログラムがデータを使用中です。何も変更していません。しばらくしてからもう一度お試しください。")
    case .locked:
      voice(
        "Locked for editing. You can read, but not save.", "編集のためロック中です。閲覧はできますが、保存はできません。")
    case .notYourLock, .lockLost:
      voice("The lock has ended or is somebody else's.", "ロックは終了したか、ほかの人のものです。")
    case .headMoved:
      voice(
        "Something newer came meanwhile. Nothing was changed; look again, then decide.",
        "その間に新しい変更が届きました。何も変更していません。内容を確認して、もう一度選んでください。")
    case .noSpace:
      voice(
        "There is no room left. Free up space, then try again.",
        "空き容量が不足しています。空き容量を増やしてから、もう一度お試しください。")
    case .notPermitted:
      voice("The folder cannot be written. Check its permissions.", "フォルダに書き込めません。アクセス権を確認してください。")
    case .unavailable:
      voice("The folder or the file is not there now.", "フォルダまたはファイルが見つかりません。")
    case .noStore: voice("openwo does not look after this file yet.", "このファイルはまだopenwoで管理されていません。")
    case .damaged, .notADatabase:
      voice("The file is damaged. Earlier versions are kept.", "ファイルが壊れています。以前のバージョンは残っています。")
    case .newerFormat, .newerSchema:
      voice(
        "The data was written by a newer version. Update first.",
        "新しいバージョンで作成されたデータです。先にアップデートしてください。")
    case .noSuchVersion: voice("There is no such version any more.", "そのバージョンはもうありません。")
    case .notRestorable: voice("This cannot be brought back.", "これは復元できません。")
    case .mergeRefused:
      voice(
        "The two sides cannot be brought together row by row. Nothing was changed.",
        "行ごとにまとめることができません。何も変更していません。")
    case .brokenReferences:
      voice(
        "The edit left rows that point at rows that do not exist. The lock stays; mend them, then unlock.",
        "存在しない行を参照している行があります。ロックはそのままです。直してから解除してください。")
    default: voice("That did not work. Your data is as before.", "うまくいきませんでした。データは元のままです。")
    }
  }

  var node: Node { node(lookAgain: nil) }

  /// The failure with a way on: to look again at what has changed meanwhile.
  func node(lookAgain address: Address?) -> Node {
    tag(
      "div", ["class": "alert", "role": "alert"], tag("p", [:], .mark("⚠ "), .text(sentence)),
      error.code == .headMoved || address != nil
        ? tag(
          "p", [:],
          // Without an address of its own it is the page itself, as it is now.
          tag("a", ["href": address?.description ?? ""], voice.say("Look again", "もう一度確認する")))
        : .none,
      tag(
        "details", [:], tag("summary", [:], voice.say("Details", "詳細")),
        tag("p", [:], .foreign(error.message)), tag("p", [:], .foreign(error.hint))))
  }

  var status: HTTPResponse.Status {
    switch error.code {
    case .headMoved, .locked, .busy, .notYourLock, .lockLost: .conflict
    case .noSuchVersion: .notFound
    default: .unprocessableContent
    }
  }
}
