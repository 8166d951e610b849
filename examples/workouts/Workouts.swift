import ArgumentParser
import ExampleShared
import OpenWOApp
import SystemPackage

/// The OpenWO app without a screen.
///
/// openwo needs only `run` and `open`; the rest of this folder is the app itself.
@main
struct Workouts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workouts", abstract: "Keeps workouts in a database that a service may sync.",
    discussion: Words.discussion)

  @OptionGroup var words: Words

  static func main() async { await launch(Words.japanese) }

  func run() async throws {
    let screen = Screen(path: words.path, language: words.tongue.language)
    let app: AppStore
    do {
      app = try await AppStore.open(Self.profile(words.path), Self.places(words.path))
    } catch let error as StoreError {
      screen.complain(error)
      throw ExitCode(1)
    }
    if app.localReason != nil { screen.warnLocal(app.localReason) }
    let status = await App(app: app, screen: screen).status(of: words)
    // Also after a mistake: a store that is left open leaves its temporary files behind.
    try? await app.close()
    if status != 0 { throw ExitCode(status) }
  }

  /// The profile of the app's data: without the folder it uses a file of this device.
  static func profile(_ path: String) -> AppProfile {
    let name = FilePath(path).lastComponent?.string ?? "openwo.sqlite"
    var profile = AppProfile(
      app: "org.example.workouts", localFile: name, syncedFile: name)
    profile.migrations = Schema.migrations
    // A session logged on the phone and a plan edited at the desk are both kept.
    profile.settling = .merge
    return profile
  }

  /// The folder of the database is the one that a service may sync.
  static func places(_ path: String) -> AppPlaces {
    let folder = FilePath(path).removingLastComponent()
    var places = AppPlaces(syncFolder: folder.isEmpty ? "." : folder.string)
    // A command has no first screen that waits for a slow folder.
    places.probeLimit = .seconds(2)
    return places
  }
}
