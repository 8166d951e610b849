import OpenWOApp

/// The frame of every page, and the pages that belong to no store.
struct Page: Sendable {
  let voice: Voice
  let site: Site

  init(_ voice: Voice, _ site: Site) {
    (self.voice, self.site) = (voice, site)
  }

  /// A whole page.
  func frame(
    title: String, here: Address, events: Address? = nil, tabs: Node = .none, _ main: Node
  ) -> Node {
    let lost = voice(
      "Lost the connection to openwo. Reload the page.", "openwoとの接続が切れました。ページを再読み込みしてください。")
    let body = tag(
      "body",
      ["data-events": events?.description ?? "/events"],
      tag("a", ["class": "skip", "href": "#main"], voice.say("Skip to content", "本文へ移動")),
      tag("div", ["id": "lost", "role": "alert", "data-text": lost]),
      tag(
        "header", ["class": "top"],
        tag("a", ["class": "brand", "href": "/"], "openwo"), tabs, languages(here)),
      tag("main", ["id": "main"], main), footer)
    return tag("html", ["lang": voice.language.rawValue], head(title), body)
  }

  private func head(_ title: String) -> Node {
    tag(
      "head", [:], tag("meta", ["charset": "utf-8"]),
      tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      tag("meta", ["name": "color-scheme", "content": "light dark"]),
      tag("title", [:], .text(title)), tag("link", ["rel": "stylesheet", "href": "/page.css"]),
      tag("link", ["rel": "icon", "href": "/icon.svg", "type": "image/svg+xml"]),
      tag("script", ["src": "/page.js", "defer": ""]))
  }

  private func languages(_ here: Address) -> Node {
    func link(_ language: Language, _ name: String) -> Node {
      var address = here
      address.query.removeAll { $0.name == "lang" }
      address.query.append(("lang", language.rawValue))
      return tag(
        "a",
        ["href": address.description, "lang": language.rawValue, "hreflang": language.rawValue],
        .text(name)
      ).with("aria-current", "true", if: language == voice.language)
    }
    return tag(
      "nav", ["class": "languages", "aria-label": voice("Language", "言語")],
      link(.ja, "日本語"), link(.en, "English"))
  }

  private var footer: Node {
    tag(
      "footer", [:],
      tag(
        "p", [:], voice.say("openwo sends nothing anywhere. ", "openwoはどこにも送信しません。"),
        tag("a", ["href": "/privacy"], voice.say("About your data", "データの取り扱い"))))
  }

  /// The page that the address in the terminal leads to; it forwards by itself.
  func entrance(to address: Address) -> Node {
    tag(
      "html", ["lang": voice.language.rawValue],
      tag(
        "head", [:], tag("meta", ["charset": "utf-8"]),
        tag("meta", ["http-equiv": "refresh", "content": "0;url=\(address)"]),
        tag("title", [:], "openwo"), tag("link", ["rel": "stylesheet", "href": "/page.css"])),
      tag(
        "body", [:],
        tag(
          "main", [:],
          tag("p", [:], tag("a", ["href": address.description], voice.say("Go on", "続ける"))))))
  }

  /// The page for a request that gets nothing.
  func refusal(_ refusal: Gate.Refusal) -> Node {
    let why =
      switch refusal {
      case .noCookie:
        voice(
          "This page opens with the address that openwo printed, once. Start it again to get a new one: openwo web",
          "このページは、openwoが表示したアドレスから一度だけ開けます。新しいアドレスを得るには、もう一度起動してください：openwo web")
      case .host, .origin, .method, .notFromScript:
        voice("This request did not come from openwo's own page.", "この要求はopenwoのページからのものではありません。")
      }
    return bare(voice("Not allowed", "許可されていません"), why)
  }

  /// The page for an address that leads nowhere.
  var missing: Node {
    frame(
      title: voice("Not found", "見つかりません"), here: Address([]),
      [
        tag("h1", [:], voice.say("Not found", "見つかりません")),
        tag("p", [:], tag("a", ["href": "/"], voice.say("Back to the beginning", "最初へ戻る"))),
      ])
  }

  private func bare(_ title: String, _ text: String) -> Node {
    tag(
      "html", ["lang": voice.language.rawValue],
      tag("head", [:], tag("meta", ["charset": "utf-8"]), tag("title", [:], .text(title))),
      tag("body", [:], tag("main", [:], tag("h1", [:], .text(title)), tag("p", [:], .text(text)))))
  }

  /// The note about privacy.
  var privacy: Node {
    let title = voice("About your data", "データの取り扱い")
    return frame(
      title: title, here: Address(["privacy"]),
      [
        tag("h1", [:], .text(title)),
        tag("section", ["class": "card"], tag("p", [:], .text(privacyText))),
      ])
  }

  private var privacyText: String {
    voice(
      "openwo sends nothing anywhere. Syncing is done by the service you chose (such as iCloud Drive), which moves the files of the sync folder under its own terms. In the folder are the database, its earlier versions, the names of your devices and the notes of locks; nothing is encrypted, and whoever can read the folder can read all of it. An export has all your data and is saved only where you put it. Switching syncing off leaves what is in the folder; to remove it, delete the database and its '.openwo' folder there.",
      "openwo自体はデータをどこにも送信しません。同期は、あなたが選んだサービス（iCloud Driveなど）が同期フォルダのファイルを転送することで行われ、その取り扱いは各サービスの規約に従います。同期フォルダには、データベースと過去の版、端末の名前、ロックのメモが保存されます。暗号化はされません。フォルダを読める人はすべて読めます。エクスポートしたファイルには全データが含まれ、あなたが選んだ場所にのみ保存されます。同期をオフにしても、フォルダにあるデータは残ります。消すには、フォルダからデータベースと「.openwo」フォルダを削除してください。"
    )
  }
}
