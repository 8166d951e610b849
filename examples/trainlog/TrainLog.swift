import ArgumentParser
import Foundation
import OpenWOApp

/// A training log on all of a person's devices: log, favourites, settings, export.
///
/// What openwo asks of the app is the profile and one call of `AppStore.open`; the rest is the app itself.
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
    profile.mergeRules = ["userSettings": .singleton]
    profile.wording = .iCloud
    #if DEBUG
      profile.environment = "development"
    #endif
    return profile
  }()

  func run() async throws {
    do {
      let app = try await AppStore.open(Self.profile, AppPlaces(syncFolder: words.folder))
      try await App(store: app, clock: Date.init).perform(words)
      try await app.close()
    } catch let error as StoreError {
      Screen.complain(error)
      throw ExitCode(1)
    }
  }
}
