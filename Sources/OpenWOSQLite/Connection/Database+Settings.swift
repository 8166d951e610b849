import OpenWOCSQLite

extension Connection.Options.Mode {
  var flags: Int32 {
    switch self {
    case .readOnly: SQLITE_OPEN_READONLY
    case .readWrite: SQLITE_OPEN_READWRITE
    case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
  }
}

extension Database {
  /// The settings that each connection has.
  func configure(_ options: Connection.Options) throws {
    try setBusyTimeout(options.busyTimeout)
    try check(openwo_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0))
    try check(openwo_config_flag(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1))
    if options.untrusted { try distrust() }
    if options.immutable { return }
    // A reader that kept its lock would keep everybody from committing.
    if options.mode == .readOnly { return keepSettings() }
    // EXTRA also syncs the folder after the journal is gone: with less, power loss takes acknowledged commits.
    // Without spilling, the file is written in one go at COMMIT, so a service finds few torn states to copy.
    try run("PRAGMA cache_spill = OFF; PRAGMA synchronous = EXTRA")
    keepSettings()
  }

  /// How long to wait for locks of others, to the millisecond.
  func setBusyTimeout(_ timeout: Duration) throws {
    let milliseconds = max(0, (timeout / .milliseconds(1)).rounded(.up))
    try check(sqlite3_busy_timeout(handle, Int32(min(milliseconds, Double(Int32.max)))))
  }

  /// Takes away what hostile content could use.
  private func distrust() throws {
    for option in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] {
      try check(openwo_config_flag(handle, option, 0))
    }
    try check(openwo_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1))
    let size = Int32(clamping: max(1_000_000, try file?.size() ?? 0))
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, size)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
    try run("PRAGMA cell_size_check = ON")
  }
}
