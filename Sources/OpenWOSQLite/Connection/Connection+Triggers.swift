import OpenWOCSQLite

extension Connection {
  /// Keeps triggers from firing on this connection, now and later.
  package func disableTriggers() throws {
    try database.check(
      openwo_config_flag(database.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0))
  }
}
