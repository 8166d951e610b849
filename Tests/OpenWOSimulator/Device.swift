import OpenWO
import OpenWOHistory

/// One simulated device: its folder, its state folder, what its processes are doing.
final class Device {
  /// Its place among the devices.
  let place: Int
  /// The number of its device id; a new one when the state folder is lost or the disk was cloned.
  var identity: Int
  var folder = Folder()

  // The state folder.
  var known: Known?
  /// Captured versions that wait to be published.
  var pending: [Int] = []
  /// Contents of damaged files that were kept as evidence.
  var aside: Set<Int> = []
  /// Whether another device has ever shown itself.
  var hasMetOthers = false
  /// The locks that it has ended, in its own words.
  var said: [String] = []

  // Processes.
  var operation: Operation?
  var tool: Tool?
  var log: Log?
  /// Whether openwo holds SQLite's exclusive lock on the live file.
  var isExclusive = false
  /// The lock that a person took here, until it is given back.
  var ownLock: String?
  /// The stamp of the live file after this process turned it back from WAL mode, and the file before.
  var folded: (after: Int, before: File)?

  // The world around it.
  /// How far its clock is off.
  var skew: Int64 = 0
  var isCut = false
  /// Rows of writes whose success was told here.
  var acknowledged = Rows()
  /// The locks that were ended here, whatever became of the word.
  var ended: Set<String> = []
  /// The last whole file at each path here.
  var lastFiles: [Int: File] = [:]

  // Values that are computed from the rest.
  var isGraphStale = true
  var graph = VersionGraph([])
  var visible: Set<Int> = []
  /// Versions that are here in full, whatever their first file rests on.
  var full: Set<Int> = []
  /// Contents that can be put together here.
  var held: Set<Int> = []
  /// Versions whose content cannot be.
  var incomplete: Set<VersionID> = []
  /// The heads and the versions of devices that they say no more than.
  var sources: Set<VersionID> = []
  var historyRows = Rows()

  init(place: Int, identity: Int) {
    self.place = place
    self.identity = identity
  }

  var id: String { "device-\(identity)" }

  /// The baseline of the live file: the record in the state folder.
  struct Known: Sendable, Hashable {
    var version: VersionID
    var content: Int
    /// The live file's stamp when it had that content: the model of its signature.
    var stamp: Int
    var inode: Int
  }

  /// Another program that has the database open in a transaction, or in WAL mode.
  struct Tool: Sendable, Hashable {
    var inode: Int
    var mode: Mode

    /// How it commits: in exclusive mode, or in WAL mode and tidily, or leaving its row beside the file.
    enum Mode: Sendable, CaseIterable {
      case exclusive, logged, leavesLog
    }
  }

  /// Rows beside a file, in a write-ahead log.
  struct Log: Sendable, Hashable {
    var inode: Int
    var rows: Rows
  }
}
