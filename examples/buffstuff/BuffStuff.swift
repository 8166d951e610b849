import ArgumentParser
import Foundation
import OpenWOApp

/// A gym log with one workout going on at a time: soft deletes, a switch for syncing, a button to sync now.
@main
struct BuffStuff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "buffstuff", abstract: "Keeps a gym log in a folder that a service syncs.",
    discussion: Words.discussion)

  @OptionGroup var words: Words

  static let profile: AppProfile = {
    var profile = AppProfile(
      app: "com.example.buffstuff", localFile: "BuffStuff.sqlite",
      syncedFile: "BuffStuffCloud.sqlite")
    profile.migrations = Schema.migrations
    profile.settling = .merge
    // The later `modifiedAt` has the whole row; what was deleted is a row that says so.
    profile.mergeRules = ["exercise": .newest, "workout": .newest]
    // The workout that goes on is its device's own until it is finished.
    profile.pinned = [PinnedRows("workout", where: "completedAt IS NULL")]
    // A set logged waits for the next one; whatever is whole goes out at once.
    profile.publishing = .debounced(seconds: 30)
    profile.syncSwitch = .user(isOn: true)
    profile.display = .indicator
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
    FileHandle.standardError.write(Data("buffstuff: \(text)\n".utf8))
  }
}
