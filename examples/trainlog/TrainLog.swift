import ArgumentParser
import ExampleShared
import Foundation
import OpenWOApp

/// A training log on all of a person's devices: log, favourites, settings, export.
///
/// openwo needs only the profile and one call of `AppStore.open`; the rest is the app itself.
@main
struct TrainLog: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trainlog", abstract: "Keeps a training log in a folder that a service syncs.",
    discussion: Words.discussion)

  @OptionGroup var words: Words

  static let profile: AppProfile = {
    var profile = AppProfile(
      app: "org.example.trainlog", localFile: "TrainLog.sqlite", syncedFile: "TrainLogCloud.sqlite")
    profile.migrations = Schema.migrations
    profile.settling = .merge
    // A set that two devices changed is the one that was changed last, and no mixture.
    profile.mergeRules = ["userSettings": .singleton, "exerciseSet": .newest]
    profile.wording = .iCloud
    profile.name = Translated(en: "TrainLog", ja: "TrainLog")
    profile.export = AppExport(fileName: "trainlog_export", query: Export.query)
    #if DEBUG
      profile.environment = "development"
    #endif
    return profile
  }()

  static func main() async { await launch(Words.japanese) }

  func run() async throws {
    let screen = Screen(language: words.tongue.language)
    try await screen.terminal.run(words.folder.places) { store in
      try await App(store: store, clock: Date.init, screen: screen).perform(words)
    }
  }
}
