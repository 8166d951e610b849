import OpenWOApp

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The export of an app, in its own form if it has said one, of the file that it has open.
struct AppExporting: Sendable {
  let app: KnownApp
  let voice: Voice
  let site: Site

  var reply: Reply {
    do {
      let store = try store()
      let form = app.description.export
      let text =
        try form.map { try store.exportTexts(ofQuery: $0.query).map { $0 + "\n" }.joined() }
        ?? store.exportJSON()
      let name = form?.fileName ?? "\(app.description.app)_export"
      return .download(
        Array(text.utf8), name: "\(name)_\(voice.stamp(voice.now)).json",
        kind: "application/json; charset=utf-8")
    } catch {
      let failure = Failure(error, voice)
      return Reply(
        Page(voice, site).frame(
          title: app.title(voice.language), here: Address(["app", app.name]), failure.node),
        status: failure.status)
    }
  }

  /// The file that the app has open; without the folder the copy for such times.
  private func store() throws -> SyncedDatabase {
    let local = app.description.localFile
    let isLocal = app.state().activeStore == .local || app.finding.availability != .available
    let path = isLocal ? local : app.description.syncedFile ?? local
    return try SyncedDatabase(path: path, configuration: site.options.configuration)
  }
}
