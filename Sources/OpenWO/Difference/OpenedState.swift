import OpenWOHistory
import OpenWOSQLite

/// A state of the database, opened for reading.
struct OpenedState {
  let connection: Connection
  /// To be called once when it is used no longer.
  let close: () -> Void
}
