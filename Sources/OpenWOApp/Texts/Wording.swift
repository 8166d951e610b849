/// The name of the synced folder in texts.
public struct Wording: Sendable, Hashable, Codable {
  /// The name of syncing.
  public var title: Translated
  /// The folder's name within a sentence.
  public var name: Translated
  /// The folder's name at the beginning of a sentence.
  public var nameAtStart: Translated

  /// Makes a wording from the names.
  public init(title: Translated, name: Translated, nameAtStart: Translated) {
    self.title = title
    self.name = name
    self.nameAtStart = nameAtStart
  }

  /// Any folder that a service syncs.
  public static let folder = Wording(
    title: Translated(en: "Folder Sync", ja: "フォルダ同期"),
    name: Translated(en: "the sync folder", ja: "同期フォルダ"),
    nameAtStart: Translated(en: "Sync folder", ja: "同期フォルダ"))

  /// A folder of iCloud Drive.
  public static let iCloud = Wording(
    title: Translated(en: "iCloud Sync", ja: "iCloud同期"),
    name: Translated(en: "iCloud", ja: "iCloud"),
    nameAtStart: Translated(en: "iCloud", ja: "iCloud"))
}
