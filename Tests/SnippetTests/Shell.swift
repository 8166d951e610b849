import OpenWO
import OpenWOShell

/// The example of the library for programs at a terminal.
enum ShellSnippets {
  static func hint(_ store: SyncedDatabase) throws {
    // snippet: the next command
    do {
      try store.write { try $0.execute("DELETE FROM exercise") }
    } catch let error as StoreError {
      print("\(error.message)\n\(error.hint)")
    }
    // end
  }
}
