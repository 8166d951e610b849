import OpenWO
import OpenWOFiles
import OpenWOSQLite
import SystemPackage

extension AppStore {
  private static let earlierKey = "earlierDatabase"

  /// Imports an app's earlier database, once, in one transaction; that file is never changed.
  ///
  /// A file that is damaged or not one of this app is reported once and left alone. While somebody
  /// holds the lock nothing is imported, and the next start tries again.
  ///
  /// - Parameters:
  ///   - earlier: The file to look for.
  ///   - copy: Adds what the new database does not have yet, and returns the number of entries. It
  ///     may run again after a crash, so rows must be found by a key.
  /// - Returns: The outcome, for which a `Catalogue` has a text.
  public func bringOver(
    _ earlier: EarlierDatabase,
    _ copy: @escaping @Sendable (_ old: Connection, _ new: Connection) throws -> Int
  ) async -> BroughtOver {
    let known = values[Self.earlierKey]
    guard known?.bool != true, let path = earlier.find(places) else { return .nothing }
    // Rows of this device that go into the folder come first: they may be the same.
    _ = await attachment()
    let state = state(of: path)
    // It was named already, and nobody has touched it since.
    guard known?.text != state else { return .nothing }
    let outcome = try? await Self.offCaller { self.bringOver(path, earlier, copy) }
    switch outcome ?? .later {
    case .later: return .later
    case .damaged, .unknown: try? values.set(Self.earlierKey, state)
    case .entries, .nothing: try? values.set(Self.earlierKey, true)
    }
    return outcome ?? .later
  }

  private func bringOver(
    _ path: FilePath, _ earlier: EarlierDatabase, _ body: (Connection, Connection) throws -> Int
  ) -> BroughtOver {
    do {
      let copy = try EarlierCopy(
        of: path, in: places.memory(profile), places.configuration.files)
      let tables = Set(try copy.connection.tableNames())
      guard tables.isSuperset(of: earlier.tables) else { return .unknown(path.printable) }
      let count = try database.write { db in
        let count = try body(copy.connection, db)
        // A transaction that changed no row would make a version all the same.
        if count == 0 { throw NothingNew() }
        return count
      }
      return .entries(count, from: path.printable)
    } catch is NothingNew {
      return .nothing
    } catch EarlierCopy.Failure.damaged {
      return .damaged(path.printable)
    } catch let error as SQLiteError where error.code == .corrupt {
      return .damaged(path.printable)
    } catch  where error is StoreError || error is FileError || error is EarlierCopy.Failure {
      return .later
    } catch {
      return .unknown(path.printable)
    }
  }

  private struct NothingNew: Error {}

  /// A file's state in a word.
  private func state(of path: FilePath) -> String {
    let status = try? places.configuration.files.stat(path)
    return status.map { "\($0.size) \($0.mtime)" } ?? ""
  }
}
