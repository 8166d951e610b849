import OpenWOApp

/// The page that lists what this device knows of.
struct SettingsPage: Sendable {
  let site: Site
  let voice: Voice
  let events: Address

  var node: Node {
    let title = voice("Settings", "設定")
    let files = site.options.files.indices.map { index in
      let file = StoreFile(
        base: ["file", "\(index + 1)"], path: site.options.files[index], site.options)
      return tag(
        "a", ["class": "row", "href": file.address().description],
        tag("bdi", [:], .text(file.name)),
        tag("bdi", ["class": "dim"], .text(file.folder)))
    }
    let apps = site.apps
    return Page(voice, site).frame(
      title: title, here: Address([]), events: events,
      [
        tag("h1", [:], .text(title)),
        .group(apps.map { AppSection(app: $0, voice: voice, options: site.options).node }),
        files.isEmpty && !apps.isEmpty
          ? .none
          : tag(
            "section", ["class": "card", "aria-labelledby": "files"],
            tag("h2", ["id": "files"], voice.say("Files", "ファイル")),
            files.isEmpty
              ? tag(
                "p", [:],
                voice.say(
                  "Name a database: openwo web DATABASE", "データベースを指定してください：openwo web DATABASE"))
              : .group(files)),
      ])
  }
}
