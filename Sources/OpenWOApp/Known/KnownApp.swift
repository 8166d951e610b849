import OpenWO
import OpenWOFiles
import SystemPackage

/// An app of this device, as another program sees it: its state, and its switch.
public struct KnownApp: Sendable {
  /// The app's own description.
  public let description: AppDescription
  /// What a look at its folder found.
  public let finding: FolderFinding
  let memory: FilePath
  let configuration: Configuration
  let launches: [AppLaunch]

  private init?(_ memory: FilePath, _ configuration: Configuration, _ probe: any FolderProbing) {
    let path = memory.appending("profile.json")
    guard
      let found = try? CompanionFile.read(AppDescription.self, at: path, configuration.files)
    else { return nil }
    (description, self.memory, self.configuration) = (found, memory, configuration)
    finding = found.syncFolder.map { probe.look(at: $0) } ?? FolderFinding(.noAccount)
    launches = AppLaunch.running(memory, configuration.files)
  }

  /// The apps that have been started on this device, in order of name; one with development data
  /// counts as its own app.
  public static func all(
    _ configuration: Configuration, probe: any FolderProbing = FolderProbe()
  ) -> [KnownApp] {
    let files = configuration.files
    let top = configuration.resolvedStateFolder.appending("apps")
    func folders(_ folder: FilePath) -> [FilePath] {
      ((try? files.list(folder)) ?? []).sorted { $0.string < $1.string }.map {
        folder.appending($0)
      }
    }
    return folders(top).flatMap { app in
      ([app] + folders(app)).compactMap { KnownApp($0, configuration, probe) }
    }
  }

  /// Whether the app runs now.
  public var isRunning: Bool { !launches.isEmpty }

  /// Its name in addresses: its id, and the environment unless that is production.
  public var name: String {
    description.environment == "production"
      ? description.app : "\(description.app)@\(description.environment)"
  }

  /// What people call it.
  public func title(_ language: Language) -> String {
    description.name?[language] ?? description.app
  }

  /// What happens to rows of its store that both sides of a merge changed.
  public var mergeRules: [String: MergeRule] { description.mergeRules ?? [:] }

  /// The texts of the app.
  public func texts(_ language: Language) -> Catalogue { Catalogue(language, description.wording) }
}

/// Its switch.
extension KnownApp {
  var values: DeviceValues {
    DeviceValues(folder: memory.appending("values"), files: configuration.files)
  }

  /// Whether this device syncs.
  public var syncEnabled: Bool {
    guard description.hasSwitch else { return true }
    return values[DeviceValues.syncKey]?.bool ?? description.syncsByDefault
  }

  /// Sets whether this device syncs from the app's next start on.
  ///
  /// - Throws: ``/OpenWO/StoreError`` with `usage` if the app has no such switch, `noSpace`,
  ///   `notPermitted`.
  public func setSyncEnabled(_ enabled: Bool) throws {
    guard description.hasSwitch else {
      throw StoreError(
        .usage, "this app has no switch for syncing", advice: Advice("see its state", .lookAgain))
    }
    try values.set(DeviceValues.syncKey, enabled)
  }
}

/// Being told of changes.
extension KnownApp {
  /// The files and folders whose times change when the app or its data does.
  public var watched: [String] {
    let own = ["values", "launches"].map { memory.appending($0).string }
    let folder = description.syncFolder.map { [$0] } ?? []
    guard let file = description.syncedFile else { return own + folder }
    let companion = ["", "/locks", "/devices", "/versions"].map { file + ".openwo" + $0 }
    return own + folder + [file] + companion
  }
}
