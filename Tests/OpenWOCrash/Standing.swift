/// The state of a store after a device has continued.
struct Standing {
  /// The rows of the live file, and its tables; nil while a lock is held.
  var rows: Set<String>?
  var tables: Set<String>?
  /// The versions in the history; nil if they cannot be known.
  var versions: Set<String>?
  /// Whether a lock was held before anybody ended it.
  var isLocked = false
  /// Whether the file of this device only had been brought.
  var isBrought = true

  /// The losses compared with this state after a stop, if these rows were promised.
  ///
  /// A power failure may lose a lock, as its file is not made durable.
  func losses(
    in found: Standing, promised: Set<String>, byPowerFailure: Bool
  ) -> [String] {
    var lost: [String] = []
    func compare(_ what: String, _ old: Set<String>?, _ new: Set<String>?) {
      guard let old, let new else { return }
      let (gone, back) = (old.subtracting(new), new.subtracting(old))
      if !gone.isEmpty { lost.append("it ended, and these \(what) are gone: \(gone.sorted())") }
      if !back.isEmpty { lost.append("it ended, and these \(what) are back: \(back.sorted())") }
    }
    compare("rows", rows?.intersection(promised), found.rows?.intersection(promised))
    compare("tables", tables, found.tables)
    // An older one that had been removed may be back, as long as its name was not removed for good.
    let forgotten = versions?.subtracting(found.versions ?? []) ?? []
    if !forgotten.isEmpty { lost.append("it ended, and versions are gone: \(forgotten.sorted())") }
    if isLocked, !found.isLocked, !byPowerFailure { lost.append("it ended, and the lock is gone") }
    if !isLocked, found.isLocked { lost.append("it ended, and a lock is held") }
    if isBrought, !found.isBrought { lost.append("it ended, and the local file is back") }
    return lost
  }
}
