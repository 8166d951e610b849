import OpenWO
import SystemPackage

/// What an app of this device leaves behind of its profile, so that others can show how it stands.
public struct AppDescription: Sendable, Hashable, Codable {
  /// How much of syncing the app shows: `full`, `indicator` or `nothing`.
  public var display: String
  /// The app's id, such as `org.example.trainlog`.
  public var app: String
  /// `production`, or a name that keeps development data apart.
  public var environment: String
  /// The database of this device alone.
  public var localFile: String
  /// The folder that a service syncs; nil where none is set up.
  public var syncFolder: String?
  /// The database in that folder.
  public var syncedFile: String?
  /// What the synced folder is called in texts.
  public var wording: Wording
  /// Whether the user has a switch.
  public var hasSwitch: Bool
  /// Whether it syncs before its user has said anything.
  public var syncsByDefault: Bool
  /// What the switch does, in the app's own words; nil: the catalogue's.
  public var explanation: Translated?
  /// What people call the app; nil: its id.
  public var name: Translated?
  /// The app's own form of its data.
  public var export: AppExport?
  /// What happens to rows that both sides of a merge changed, by table.
  var mergeRules: [String: MergeRule]?

  init(_ profile: AppProfile, _ places: AppPlaces) {
    display =
      switch profile.display {
      case .full: "full"
      case .indicator: "indicator"
      case .nothing: "nothing"
      }
    (app, environment) = (profile.app, profile.environment)
    localFile = places.local(profile).string
    syncFolder = places.folder?.string
    syncedFile = places.synced(profile)?.string
    wording = profile.wording
    hasSwitch = profile.syncSwitch != .none
    syncsByDefault = profile.syncsByDefault
    explanation = profile.explanation
    (name, export, mergeRules) = (profile.name, profile.export, profile.mergeRules)
  }
}
