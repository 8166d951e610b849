import ArgumentParser
import ExampleShared
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
    profile.name = Translated(en: "Buff Stuff", ja: "Buff Stuff")
    return profile
  }()

  static func main() async { await launch(Words.japanese) }

  func run() async throws {
    let terminal = Terminal("buffstuff", Self.profile, words.tongue.language)
    let places = words.folder.places
    // What the person said of syncing to the app from before counts until it is said again.
    let earlier = EarlierSettings(at: EarlierSettings.path(of: Self.profile.app))
    try? earlier?.takeOverSwitch("buff_stuff_cloudkit_enabled", Self.profile, places)
    try await terminal.run(places) { store in
      try await App(store: store, terminal: terminal).perform(words)
    }
  }
}
