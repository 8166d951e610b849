public import Foundation
public import OpenWOApp

/// The settings that an app kept in `UserDefaults` before it had a database; read, never written.
public struct EarlierSettings {
  private let values: [String: Any]

  /// Reads a property list, as `UserDefaults` writes it; nil if the data is none.
  public init?(_ file: Data) {
    guard
      let list = try? PropertyListSerialization.propertyList(from: file, format: nil)
        as? [String: Any]
    else { return nil }
    values = list
  }

  /// Reads the property list at a path; nil if there is none.
  public init?(at path: String) {
    guard let file = FileManager.default.contents(atPath: path) else { return nil }
    self.init(file)
  }

  /// A file that is not a property list.
  public struct Unreadable: Error {}

  /// Reads the property list at the path of an existing file.
  ///
  /// - Throws: ``Unreadable``.
  public init(readable path: String) throws {
    guard let settings = EarlierSettings(at: path) else { throw Unreadable() }
    self = settings
  }

  /// The path of an app's settings.
  public static func path(of app: String) -> String {
    #if os(Linux)
      let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
      return "\(home)/.config/\(app).plist"
    #else
      return NSString("~/Library/Preferences/\(app).plist").expandingTildeInPath
    #endif
  }

  /// A value; nil if it was never set, or is of another kind.
  public func value<Value>(_ key: String, as type: Value.Type = Value.self) -> Value? {
    values[key] as? Value
  }

  /// A list: the property list's own, or data with JSON; nil if it was never set.
  public func list<Element: Decodable>(_ key: String) throws -> [Element]? {
    try json(key) ?? value(key)
  }

  /// A value that was kept as data with JSON; nil if it was never set.
  public func json<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws
    -> Value?
  {
    let data: Data? = value(key)
    return try data.map { try JSONDecoder().decode(Value.self, from: $0) }
  }

  /// Takes over a switch for syncing, unless the user has moved it since; to be called before the store is opened.
  public func takeOverSwitch(_ key: String, _ profile: AppProfile, _ places: AppPlaces) throws {
    guard let isOn: Bool = value(key) else { return }
    try DeviceValues(profile, places).takeOverSwitch(isOn: isOn)
  }
}
