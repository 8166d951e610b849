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
    do {
      let app = try await AppStore.open(Self.profile, AppPlaces(syncFolder: words.folder))
      try await App(store: app).perform(words)
      try await app.close()
    } catch let error as StoreError {
      print("buffstuff: \(error.message)\nbuffstuff: \(error.hint)")
      throw ExitCode(1)
    }
  }
}
