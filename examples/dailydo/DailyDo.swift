import ArgumentParser
import Foundation
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
    let language = words.language
    let app: AppStore
    do {
      app = try await AppStore.open(Self.profile, words.places)
    } catch let error as StoreError {
      Self.complain(Catalogue(language, Self.profile.wording).message(for: error))
      throw ExitCode(1)
    }
    var problem: String?
    do {
      try await App(store: app).perform(words)
    } catch let mistake as Mistake {
      problem = mistake.words[language]
    } catch {
      problem = await app.explain(error, language)
    }
    // Also after a mistake: a store that is left open leaves its temporary files behind.
    try? await app.close()
    guard let problem else { return }
    Self.complain(problem)
    throw ExitCode(1)
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("dailydo: \(text)\n".utf8))
  }
}
