import ArgumentParser
import ExampleShared
import OpenWOApp

/// A gym log with one active workout at a time: soft deletes, a switch for syncing, a button to
/// sync now.
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
    // The active workout belongs to its device until it is finished.
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
    // The earlier app's choice about syncing counts until the person makes a new one.
    let earlier = EarlierSettings(at: EarlierSettings.path(of: Self.profile.app))
    try? earlier?.takeOverSwitch("buff_stuff_cloudkit_enabled", Self.profile, places)
    try await terminal.run(places) { store in
      try await App(store: store, terminal: terminal).perform(words)
    }
  }
}
