package import SystemPackage

/// One system call as an observer sees it: its kind and its file.
package struct SystemCall: Sendable, Hashable {
  /// The kind of a system call.
  package enum Kind: String, Sendable, CaseIterable {
    case open, close, read, write, fsync, rename, renameNew, exchange, link, unlink
    case mkdir, rmdir, stat, list, flock, funlock, truncate, allocate, clone
    case access, setTimes, setMode, setOwner, readAttributes, writeAttribute, realpath, freeSpace
    case watch, spawn
  }

  /// Its kind.
  package var kind: Kind
  /// The file it is asked about.
  package var path: FilePath?
  /// The second path of a rename, an exchange or a link.
  package var otherPath: FilePath?

  /// A call of its parts.
  package init(_ kind: Kind, _ path: FilePath?, _ otherPath: FilePath? = nil) {
    self.kind = kind
    self.path = path
    self.otherPath = otherPath
  }
}

extension SystemCall.Kind {
  /// The call as a verb for "cannot …".
  var verb: String {
    switch self {
    case .renameNew: "rename"
    case .fsync: "make durable"
    case .mkdir: "make the folder"
    case .rmdir: "remove the folder"
    case .flock: "lock"
    case .funlock: "unlock"
    case .spawn: "run"
    case .unlink: "remove"
    case .stat: "look at"
    case .access: "use"
    case .setTimes: "set the time of"
    case .setMode: "set the permissions of"
    case .setOwner: "set the owner of"
    case .readAttributes: "read the attributes of"
    case .writeAttribute: "set an attribute of"
    case .realpath: "resolve"
    case .freeSpace: "ask for the free space of"
    case .allocate: "reserve room for"
    default: rawValue
    }
  }
}

/// Sees every system call of a ``FileSystem``: tests record, delay and fail calls with it.
package protocol SystemCallObserver: Sendable {
  /// Called before the call is made; if it throws, the call fails so and is not made.
  func willCall(_ call: SystemCall) throws(FileError)
  /// Called after the call succeeded.
  func didCall(_ call: SystemCall)
  /// The status of a file as the store sees it, for example with the times of a clock that a test
  /// moves.
  func seen(_ status: FileStatus) -> FileStatus
}

extension SystemCallObserver {
  /// The status as the system has it.
  package func seen(_ status: FileStatus) -> FileStatus { status }
}
