import ArgumentParser
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
    profile.explanation = Translated(
      en: "Syncs your to-dos and settings across your devices", ja: "TODOと設定を複数デバイス間で同期します")
    // Two devices that began apart have a row of settings each.
    profile.tidying = Settings.keepNewest
    return profile
  }()

  func run() async throws {
    do {
      let app = try await AppStore.open(Self.profile, AppPlaces(syncFolder: words.folder))
      try await App(store: app).perform(words)
      try await app.close()
    } catch let error as StoreError {
      print("dailydo: \(error.message)\ndailydo: \(error.hint)")
      throw ExitCode(1)
    }
  }
}
