import ArgumentParser
import OpenWO

/// The OpenWO app without a screen. What openwo asks of an app is in `run` and `open`; the rest of this folder is the app itself.
@main
struct Workouts: AsyncParsableCommand {
  @OptionGroup var words: Words

  func run() async throws {
    let screen = Screen(path: words.path)
    do {
      let store = try Self.open(words.path)
      try await App(store: store, screen: screen).perform(words)
      try store.close()
    } catch let error as StoreError {
      // While somebody holds the lock nothing is written, and reading goes on.
      if let lock = error.lock { screen.offerReading(lock) } else { screen.complain(error) }
      throw ExitCode(error.code == .locked ? 11 : 1)
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
