import OpenWOFiles
import SystemPackage

/// One running start of an app, as it says itself: it goes when the app closes, and counts for
/// nothing if its process is gone.
struct AppLaunch: Sendable, Hashable, Codable {
  /// The process.
  var process: ProcessIdentity
  /// Whether the switch was on when it started.
  var syncEnabled: Bool
  /// Which of the two files it has open.
  var activeStore: SyncState.ActiveStore
  /// Why it is the one on this device, in a word.
  var localReason: String?

  /// The folder with the launches of an app.
  static func folder(_ memory: FilePath) -> FilePath { memory.appending("launches") }

  static func path(_ memory: FilePath) -> FilePath {
    folder(memory).appending("\(ProcessIdentity.current.pid).json")
  }

  /// The launches whose processes run.
  static func running(_ memory: FilePath, _ files: FileSystem) -> [AppLaunch] {
    let names = (try? files.list(folder(memory))) ?? []
    return names.sorted { $0.string < $1.string }.compactMap { name in
      let path = folder(memory).appending(name)
      guard let launch = try? CompanionFile.read(AppLaunch.self, at: path, files),
        launch.process.liveness != .dead
      else { return nil }
      return launch
    }
  }
}

extension LocalReason {
  /// The reason in a word.
  var word: String {
    switch self {
    case .switchedOff: "switchedOff"
    case .noAccount: "noAccount"
    case .restricted: "restricted"
    case .noAnswer: "noAnswer"
    case .full: "full"
    case .failed(let error): error.code.description
    }
  }
}

extension AppStore {
  /// Writes down what the page needs to know of the app and of this launch.
  ///
  /// The app runs without that, too.
  func leaveTraces() {
    let memory = places.memory(profile)
    let files = places.configuration.files
    let description = AppDescription(profile, places)
    let path = memory.appending("profile.json")
    do {
      if try CompanionFile.read(AppDescription.self, at: path, files) != description {
        try files.makeDirectories(memory)
        try CompanionFile.write(description, to: path, durable: false, files)
      }
      try files.makeDirectories(AppLaunch.folder(memory))
      let launch = AppLaunch(
        process: .current, syncEnabled: enabledAtLaunch, activeStore: activeStore,
        localReason: localReason?.word)
      try CompanionFile.write(launch, to: AppLaunch.path(memory), durable: false, files)
    } catch {}
  }

  /// Takes back what it said of this launch.
  func takeBackLaunch() {
    try? places.configuration.files.unlink(AppLaunch.path(places.memory(profile)))
  }
}
