import OpenWOFiles
import SystemPackage

/// The database that an app had before it used openwo, such as that of GRDB or SwiftData.
public struct EarlierDatabase: Sendable {
  /// The possible paths of the file, below the folder for app data; the first existing one counts.
  public var names: [String]
  /// The tables without which a file is not one of this app.
  public var tables: [String]

  /// Makes a description from the paths and the tables.
  public init(_ names: String..., tables: [String]) {
    self.names = names
    self.tables = tables
  }

  /// The file that counts; nil if there is none.
  func find(_ places: AppPlaces) -> FilePath? {
    let folder = places.dataFolder.map { FilePath($0) } ?? AppPlaces.shared
    let files = places.configuration.files
    return names.map { folder.pushing(FilePath($0)) }.first { path in
      (try? files.stat(path))?.kind == .regular
    }
  }
}

/// The outcome of importing an earlier database.
public enum BroughtOver: Sendable, Hashable {
  /// There was no such file, or nothing new in it.
  case nothing
  /// The number of entries imported from this file, which is unchanged.
  case entries(Int, from: String)
  /// The file is damaged, and left alone.
  case damaged(String)
  /// The file is not one of this app, and left alone.
  case unknown(String)
  /// It was not possible now; the next start tries again.
  case later
}

/// Saying it.
extension Catalogue {
  /// The text for a person about imported data; nil if there is nothing to say.
  public func broughtOver(_ outcome: BroughtOver) -> String? {
    switch outcome {
    case .nothing, .later: nil
    case .entries(let count, let path):
      Translated(
        en: "brought over from the earlier app: \(count); its file is unchanged: \(path)",
        ja: "以前のアプリのデータを\(count)件取り込みました。元のファイルは変更していません：\(path)")[language]
    case .damaged(let path):
      Translated(
        en: "\(path) is damaged and was left alone; put a backup in its place and start again",
        ja: "\(path)は破損しているため読み込めません。変更はしていません。バックアップから復元して再起動してください。")[language]
    case .unknown(let path):
      Translated(
        en: "\(path) is not a file of this app and was left alone",
        ja: "\(path)はこのアプリのファイルではないため、読み込んでいません。変更もしていません。")[language]
    }
  }
}
