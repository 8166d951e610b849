import OpenWOHistory

/// What is known of devices when one of them is to be forgotten.
struct ForgetFacts {
  let paths: StorePaths
  /// This device.
  let device: String
  var records: [DeviceRecord] = []
  /// Devices whose versions are not whole, and when they made them.
  var makers: [(id: String, name: String, at: Timestamp)] = []
  /// The locks that are active.
  var locks: [StoreLock] = []

  /// The device that is forgotten.
  enum Choice: Equatable {
    case known(DeviceRecord)
    /// Its file has not arrived, or is lost.
    case absent(id: String, name: String, lastSeen: Timestamp)
  }

  /// Decides which device a word means: an id, a name, or the beginning of an id.
  ///
  /// - Throws: `usage` if it means this device, none or several; `locked` if that device has the
  ///   lock.
  func decide(_ word: String) throws -> Choice {
    let named = records.filter { $0.id == word || $0.name == word }
    let found =
      named.isEmpty && word.utf8.count >= 4 ? records.filter { $0.id.hasPrefix(word) } : named
    let others = found.filter { $0.id != device }
    if others.isEmpty, let absent = absent(word) { return absent }
    guard let gone = others.first, others.count == 1 else {
      throw StoreError.noSuchDevice(word, isThis: !found.isEmpty, count: others.count, paths)
    }
    if let lock = locks.first(where: { $0.device == gone.id }) {
      throw StoreError.isLocked(by: lock, isOurs: false, paths)
    }
    return .known(gone)
  }

  private func absent(_ word: String) -> Choice? {
    let known = Set(records.map(\.id)).union([device])
    let named = makers.filter { !known.contains($0.id) && ($0.id == word || $0.name == word) }
    guard let last = named.max(by: { $0.at < $1.at }), Set(named.map(\.id)).count == 1 else {
      return nil
    }
    return .absent(id: last.id, name: last.name, lastSeen: last.at)
  }
}
