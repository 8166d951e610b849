import ArgumentParser
import ExampleShared
import OpenWOApp

/// To-dos, on this device unless its user switches syncing on; then quietly on all of them.
@main
struct DailyDo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dailydo", abstract: "Keeps to-dos.", discussion: Words.discussion)

  @OptionGroup var words: Words

  static let profile: AppProfile = {
    var profile = AppProfile(
      app: "org.example.dailydo", localFile: "DailyDo.sqlite", syncedFile: "DailyDoCloud.sqlite")
    profile.migrations = Schema.migrations
    profile.settling = .merge
    profile.publishing = .immediately
    profile.syncSwitch = .user(isOn: false)
    profile.display = .nothing
    profile.name = Translated(en: "DailyDo", ja: "DailyDo")
    profile.explanation = Translated(
      en: "Syncs your to-dos and settings across your devices", ja: "TODOと設定を複数デバイス間で同期します")
    // Two devices that began apart have a row of settings each.
    profile.tidying = Settings.keepNewest
    return profile
  }()

  /// At the first start: what the person said of syncing to the app from before.
  static func takeOverSwitch(of earlier: EarlierSettings?, _ places: AppPlaces) throws {
    try earlier?.takeOverSwitch("useCloudSync", profile, places)
  }

  static func main() async { await launch(Words.japanese) }

  func run() async throws {
    let terminal = Terminal("dailydo", Self.profile, words.tongue.language)
    let places = words.folder.places
    let earlier = EarlierSettings(at: EarlierSettings.path(of: Self.profile.app))
    try? Self.takeOverSwitch(of: earlier, places)
    try await terminal.run(places) { store in
      try await App(store: store, terminal: terminal).perform(words)
    }
  }
}
