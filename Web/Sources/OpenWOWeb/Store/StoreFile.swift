import OpenWOApp
import SystemPackage

/// One database that the server shows, and where its pages are.
struct StoreFile: Sendable {
  /// The first words of all its addresses.
  let base: [String]
  let path: FilePath
  var configuration: Configuration

  init(base: [String], path: FilePath, _ options: WebOptions) {
    (self.base, self.path) = (base, path)
    configuration = options.configuration
  }

  /// Its name for people.
  var name: String { path.lastComponent?.string ?? path.string }

  /// Its path.
  var database: String { path.string }

  /// The folder that it is in.
  var folder: String { path.removingLastComponent().string }

  /// The address of one of its pages.
  ///
  /// An app has its settings where another file has its overview; so that is beside its history.
  func address(_ words: String..., query: [(String, String?)] = []) -> Address {
    Address(base + (words.isEmpty && base.first == "app" ? ["file"] : words), query)
  }

  /// The files and folders whose times change with the store.
  var watched: [String] {
    let database = path.string
    let companion = database + ".openwo"
    return ["", "-wal", "-journal"].map { database + $0 }
      + [companion] + ["locks", "devices", "versions"].map { "\(companion)/\($0)" }
      + [path.removingLastComponent().string]
  }
}

extension WebOptions {
  /// How a store is opened: a look changes nothing; what a person asks for is done, and no more.
  var configuration: Configuration {
    var configuration = Configuration()
    configuration.stateFolder = stateFolder
    configuration.deviceName = deviceName
    configuration.monitors = false
    configuration.opensAsFound = true
    configuration.busyTimeout = .seconds(2)
    return configuration
  }
}
