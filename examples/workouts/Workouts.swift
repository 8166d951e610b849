import ArgumentParser
import OpenWOApp
import SystemPackage

/// The OpenWO app without a screen.
///
/// What openwo asks of an app is in `run` and `open`; the rest of this folder is the app itself.
@main
struct Workouts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workouts", abstract: "Keeps workouts in a database that a service may sync.",
    discussion: Words.discussion)

  @OptionGroup var words: Words

  func run() async throws {
    let screen = Screen(path: words.path)
    do {
      let app = try await AppStore.open(Self.profile(words.path), Self.places(words.path))
      if app.localReason != nil { screen.warnLocal(app.localReason) }
      try await App(app: app, screen: screen).perform(words)
      try await app.close()
    } catch let error as StoreError {
      guard error.code == .locked, let lock = error.lock else {
        screen.complain(error)
        throw ExitCode(1)
      }
      // While somebody holds the lock nothing is written, and reading goes on.
      screen.offerReading(lock)
      throw ExitCode(11)
    }
  }

  /// What the app says of its data: without the folder it goes on in a file of this device.
  static func profile(_ path: String) -> AppProfile {
    let name = FilePath(path).lastComponent?.string ?? "openwo.sqlite"
    var profile = AppProfile(
      app: "org.example.workouts", localFile: name, syncedFile: name)
    profile.migrations = Schema.migrations
    return profile
  }

  /// The folder of the database is the one that a service may sync.
  static func places(_ path: String) -> AppPlaces {
    let folder = FilePath(path).removingLastComponent()
    return AppPlaces(syncFolder: folder.isEmpty ? "." : folder.string)
  }
}
