import OpenWOFiles
package import SystemPackage

/// Where one device keeps an app's data, and how it looks for the folder.
///
/// The defaults suit an app.
public struct AppPlaces: Sendable {
  /// The synced folder; nil: `$OPENWO_SYNC_DIR`, or none if that is not set.
  public var syncFolder: String?
  /// The folder for this device's own data; nil: `$XDG_DATA_HOME/<app>`, else
  /// `~/.local/share/<app>`.
  public var dataFolder: String?
  /// How the store is opened; names, schema and rules come from the profile.
  public var configuration = Configuration()
  /// Checks whether the synced folder can be used.
  public var folderProbe: any FolderProbing = FolderProbe()
  /// Checks whether the device has a network.
  public var networkProbe: any NetworkProbing = NetworkProbe()
  /// How long the launch waits for the folder; a folder that does not answer in time counts as
  /// missing.
  public var probeLimit: Duration = .milliseconds(200)

  /// Makes places with all defaults except for the folder.
  public init(syncFolder: String? = nil) {
    self.syncFolder = syncFolder
  }
}

/// The paths that follow.
extension AppPlaces {
  /// The synced folder that counts; nil if none is set up.
  package var folder: FilePath? {
    (syncFolder ?? Variables["OPENWO_SYNC_DIR"]).map { FilePath($0) }
  }

  /// The database in the synced folder.
  package func synced(_ profile: AppProfile) -> FilePath? {
    folder.map { apart($0, profile).appending(profile.syncedFile) }
  }

  /// The database of this device alone.
  package func local(_ profile: AppProfile) -> FilePath {
    if let dataFolder { return apart(FilePath(dataFolder), profile).appending(profile.localFile) }
    return apart(Self.shared.appending(profile.app), profile).appending(profile.localFile)
  }

  /// The folder in which apps of this device keep their data.
  static var shared: FilePath {
    Variables["XDG_DATA_HOME"].map { FilePath($0) }
      ?? Machine.dataFolder(inHome: FilePath(Variables["HOME"] ?? "."))
  }

  /// The folder for what this device knows about the app and never syncs.
  package func memory(_ profile: AppProfile) -> FilePath {
    let name = profile.app.isEmpty ? "app" : profile.app
    return apart(configuration.resolvedStateFolder.appending("apps").appending(name), profile)
  }

  /// Development data has its own folder.
  private func apart(_ folder: FilePath, _ profile: AppProfile) -> FilePath {
    profile.environment == "production" ? folder : folder.appending(profile.environment)
  }

  /// How a store of the app is opened.
  package func configuration(_ profile: AppProfile) -> Configuration {
    var configuration = configuration
    configuration.app = profile.app
    configuration.environment = profile.environment
    configuration.migrations = profile.migrations
    configuration.settling = profile.settling
    configuration.mergeRules = profile.mergeRules
    configuration.mergeDeclarations = profile.mergeDeclarations
    configuration.pinned = profile.pinned
    configuration.publishing = profile.publishing
    return configuration
  }
}
