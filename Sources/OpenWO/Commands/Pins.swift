import OpenWOFiles
import OpenWOHistory

/// Names that people give to versions, which are never pruned.
///
/// A device says them in its own file, so no two devices write the same file.
struct Pins: StoreCommand {
  let store: Store

  /// The largest length of a name in bytes.
  private static var longestName: Int { 64 }
  /// More names than this would not fit into a device's file.
  private static var mostNames: Int { 200 }

  /// The latest word on each name.
  func words() throws -> [String: DeviceRecord.Pin] {
    let words = try coordinator.readableDevices().records.flatMap { $0.pins ?? [] }
    return Dictionary(words.map { ($0.name, $0) }) { one, other in
      (one.at, one.version?.description ?? "") < (other.at, other.version?.description ?? "")
        ? other : one
    }
  }

  /// The names in use, and the versions that have them.
  func named() throws -> [String: VersionID] { try words().compactMapValues(\.version) }

  func pin(_ id: VersionID, as name: String) throws {
    _ = try versions.version(id)
    try Self.decide(name, for: id, beside: named().count, now: store.now, paths)
    // A pinned version must not be replaced by a later one.
    try publishing.run()
    try say(DeviceRecord.Pin(name: name, version: id, at: store.now))
  }

  /// Refuses a name that means something else, and one more name than fits into a device's file.
  static func decide(
    _ name: String, for id: VersionID, beside count: Int, now: Timestamp, _ paths: StorePaths
  ) throws {
    let isPlain =
      !name.isEmpty && name.utf8.count <= longestName
      && String(printable: name.utf8) == name && !name.contains("/") && !name.hasPrefix("-")
    guard isPlain, VersionName(name, now: now) == nil else {
      throw StoreError(
        .usage,
        "\(String(printable: name.utf8)) cannot be a version's name: it means something else, or "
          + "is too long",
        advice: paths.next("take another one", .pin(id)))
    }
    guard count < mostNames else {
      throw StoreError(
        .usage, "\(mostNames) versions have names already; nothing was changed",
        advice: paths.next("take one away", .unpin))
    }
  }

  func unpin(_ name: String) throws {
    guard try named()[name] != nil else {
      throw StoreError(
        .usage, "no version is called \(String(printable: name.utf8)); nothing was changed",
        advice: paths.next("see their names", .chooseVersion))
    }
    try say(DeviceRecord.Pin(name: name, version: nil, at: store.now))
  }

  /// Records a statement about a name that overrides all visible ones.
  private func say(_ word: DeviceRecord.Pin) throws {
    var word = word
    if let latest = try words()[word.name]?.at {
      word.at = max(word.at, latest.advanced(bySeconds: 1))
    }
    try coordinator.updateOwnRecord { $0.note(word) }
  }
}
