/// What stands in a store once a device has gone on.
struct Standing {
  /// The rows of the live file, and its tables; nil while a lock stands.
  var rows: Set<String>?
  var tables: Set<String>?
  /// What the history lists; nil where nobody can know which they are.
  var versions: Set<String>?
  /// Whether a lock stood before anybody ended it.
  var isLocked = false
  /// Whether the file of this device only had been brought.
  var isBrought = true

  /// What became of this, as it is found after a stop, where these rows were promised to somebody.
  ///
  /// A power failure takes a lock with it: its file is not made durable.
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
    if !isLocked, found.isLocked { lost.append("it ended, and a lock stands") }
    if isBrought, !found.isBrought { lost.append("it ended, and the local file is back") }
    return lost
  }
}
