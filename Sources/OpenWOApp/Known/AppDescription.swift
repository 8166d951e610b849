import OpenWO
import SystemPackage

/// What an app of this device records of its profile, so that other programs can show its state.
public struct AppDescription: Sendable, Hashable, Codable {
  /// How much of syncing the app shows: `full`, `indicator` or `nothing`.
  public var display: String
  /// The app's id, such as `org.example.trainlog`.
  public var app: String
  /// `production`, or a name that keeps development data apart.
  public var environment: String
  /// The path of the local file.
  public var localFile: String
  /// The synced folder; nil if none is set up.
  public var syncFolder: String?
  /// The path of the database in that folder.
  public var syncedFile: String?
  /// The name of the synced folder in texts.
  public var wording: Wording
  /// Whether the user has a switch.
  public var hasSwitch: Bool
  /// Whether it syncs before its user has made a choice.
  public var syncsByDefault: Bool
  /// The explanation of the switch in the app's own words; nil: the catalogue's.
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
