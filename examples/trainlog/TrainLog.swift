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
    let screen = Screen(language: words.language)
    let app: AppStore
    do {
      app = try await AppStore.open(Self.profile, words.places)
    } catch {
      screen.note((error as? StoreError).map(screen.texts.message) ?? "\(error)")
      throw ExitCode(1)
    }
    var problem: String?
    do {
      try await App(store: app, clock: Date.init, screen: screen).perform(words)
    } catch let mistake as Mistake {
      problem = mistake.words[words.language]
    } catch {
      problem = await app.explain(error, words.language)
    }
    // Also after a mistake: a store that is left open leaves its temporary files behind.
    try? await app.close()
    guard let problem else { return }
    screen.note(problem)
    throw ExitCode(1)
  }
}
