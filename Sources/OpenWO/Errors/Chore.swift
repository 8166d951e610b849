package import SystemPackage

/// What only a person can do, with files or with the machine.
///
/// Paths are as the caller would type them.
package enum Chore: Sendable, Hashable {
  /// Remove a file.
  case remove(FilePath)
  /// See of what kind a file is.
  case identify(FilePath)
  /// See a file's size and time.
  case list(FilePath)
  /// See a folder with all hidden files.
  case listAll(FilePath)
  /// See all that is in a folder.
  case listTree(FilePath)
  /// See who may use a file or a folder; nil for the working folder.
  case owner(FilePath?)
  /// See how much room there is.
  case space(FilePath)
  /// Let all who may use a file with this mode use a folder.
  case share(mode: UInt16, FilePath)
  /// Move a file out of the folder.
  case moveHome(FilePath)
  /// Keep the other form of the database's name as a version, and move it out of the folder.
  case syncAndMoveHome(FilePath)
  /// Give a file another name, and let a remedy make what has to be in its place.
  case putAway(FilePath, as: FilePath, then: Remedy)
  /// Replace a link by the folder that it leads to.
  case replaceLink(FilePath, by: FilePath)
  /// Move the database to the place of a link, and sync or make a store there.
  case moveDatabase(FilePath, to: FilePath, hasStore: Bool)
  /// Give the database a file of its own, by way of a second one.
  case detach(FilePath, by: FilePath)
  /// Bring what is in one folder into another.
  case bringOver(FilePath, into: FilePath)
  /// Open a file in SQLite's shell.
  case sqlite(FilePath, Question)
  /// Name another state folder.
  case nameStateFolder
  /// Set the clock by the network.
  case setClock

  /// What SQLite's shell is asked.
  package enum Question: Sendable, Hashable {
    case tables, schema, integrity, recover
  }
}
