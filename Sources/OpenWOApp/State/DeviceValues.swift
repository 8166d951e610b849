import OpenWO
package import OpenWOFiles
package import SystemPackage

/// The values that an app keeps on this device alone, such as whether the tutorial was seen.
///
/// They are never in the synced folder or the database.
///
/// Each value has its own file, so two processes can set different values at once.
public struct DeviceValues: Sendable {
  private let folder: FilePath
  private let files: FileSystem

  package init(folder: FilePath, files: FileSystem) {
    self.folder = folder
    self.files = files
  }

  /// The values of an app on this device.
  public init(_ profile: AppProfile, _ places: AppPlaces = AppPlaces()) {
    self.init(
      folder: places.memory(profile).appending("values"), files: places.configuration.files)
  }

  /// The value of a key; nil if it was never set, or was removed.
  public subscript(key: String) -> DeviceValue? {
    guard let path = try? path(key) else { return nil }
    return try? CompanionFile.read(DeviceValue.self, at: path, files)
  }

  /// Sets or removes a value; the change is durable when this returns.
  ///
  /// Keys are letters, digits, `_`, `-` and `.`.
  ///
  /// - Throws: ``/OpenWO/StoreError`` with `usage` for another key, `noSpace`, `notPermitted`.
  public func set(_ key: String, _ value: DeviceValue?) throws {
    let path = try path(key)
    do {
      try files.makeDirectories(folder)
      if let value {
        try CompanionFile.write(value, to: path, files)
      } else if try files.statusIfPresent(path) != nil {
        try files.unlink(path)
      }
    } catch {
      throw StoreError(onDevice: error)
    }
  }

  /// Sets yes or no.
  public func set(_ key: String, _ value: Bool) throws { try set(key, .bool(value)) }

  /// Sets text.
  public func set(_ key: String, _ value: String) throws { try set(key, .text(value)) }

  private func path(_ key: String) throws -> FilePath {
    let isName = key.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
        || [0x5f, 0x2d, 0x2e].contains($0)
    }
    guard isName, !key.isEmpty, !key.hasPrefix("."), key.utf8.count <= 100 else {
      throw StoreError(
        .usage, "'\(String(printable: key.utf8))' cannot be the key of a value",
        advice: Advice("use letters, digits, _, - and ., such as hasSeenTutorial"))
    }
    return folder.appending("\(key).json")
  }
}

extension StoreError {
  /// The error for a file of this device.
  init(onDevice error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as FileError where error.isNoSpace:
      self.init(.noSpace, error.message, advice: Advice("make room on this device, then try again"))
    case let error as FileError where error.isNotPermitted:
      self.init(.notPermitted, error.message, advice: Advice("see who owns it", .owner(nil)))
    default: self.init(.io, "\(error)", advice: Advice("look closer", .examine))
    }
  }
}
