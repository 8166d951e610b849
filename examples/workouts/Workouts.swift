import ArgumentParser
import OpenWO

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
      let store = try Self.open(words.path)
      try await App(store: store, screen: screen).perform(words)
      try store.close()
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

  /// Opens the database, and makes it the first time, with its tables and templates.
  static func open(
    _ path: String, _ configuration: Configuration = Configuration()
  ) throws -> SyncedDatabase {
    var configuration = configuration
    configuration.app = "org.example.workouts"
    configuration.migrations = Schema.migrations
    do {
      return try SyncedDatabase(path: path, configuration: configuration)
    } catch StoreError.Code.noStore {
      _ = try SyncedDatabase.initialize(path: path, create: true, configuration: configuration)
      return try SyncedDatabase(path: path, configuration: configuration)
    }
  }
}
