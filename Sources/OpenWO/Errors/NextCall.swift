package import OpenWOHistory
package import SystemPackage

/// A call of a store that a person can make next, and that is not itself a remedy.
///
/// Paths are as the caller would type them.
package enum NextCall: Sendable, Hashable {
  /// Look for problems: ``SyncedDatabase/examine(path:configuration:)``.
  case examine
  /// Look at the status of another store.
  case lookAt(FilePath)
  /// Compare this version with the live one.
  case compare(VersionID)
  /// Compare the rows of the live version with those of this side.
  case compareRows(MergeSource)
  /// Bring in the rows of this side.
  case merge(MergeSource)
  /// Keep all rows of the database and this side, which have nothing in common.
  case mergeWithoutBase(MergeSource)
  /// List the conflicts with this side.
  case listConflicts(MergeSource)
  /// See all versions, also damaged files that were kept.
  case allVersions
  /// Write out what can be read of this damaged file.
  case recover(String)
  /// Give a version another name.
  case pin(VersionID)
  /// Take a name away from a version.
  case unpin
  /// Edit under a lock, in SQLite's shell.
  case edit
  /// The same, with the path of the database where a command wants it.
  case editFile
  /// Ask for the lock.
  case lock
  /// See a lock travel to another device and back.
  case watchLock
  /// End the lock on the device that has it.
  case unlockThere
  /// Make a store of the database.
  case initialize
  /// Make another store in the place of the one that is gone.
  case initializeAnother
  /// See the devices.
  case listDevices
  /// Do without this device.
  case forgetDevice(String)
  /// Leave the store on the other device first.
  case leaveThere
  /// Leave the store although rows or files wait.
  case leaveUnmerged
  /// Wait for the service, or do without this device, and look for problems.
  case waitForDevice(String)
  /// Ask for rows.
  case query
  /// The same, with more time.
  case queryLonger
  /// See the tables and their columns.
  case queryTables
  /// Move this database into the store.
  case migrate(FilePath)
  /// Read what there is to know.
  case readHelp(HelpTopic?)

  /// What a help text is about.
  package enum HelpTopic: Sendable, Hashable {
    /// Making a store.
    case making
    /// Writing out a version.
    case showing
  }
}
