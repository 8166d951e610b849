import OpenWOCFiles
package import SystemPackage

/// A failed system call: the call, the file and the system's error.
package struct FileError: Error, Sendable, Hashable {
  /// The kind of call that failed.
  package var operation: SystemCall.Kind
  /// The file it was about.
  package var path: FilePath?
  /// The second path of a rename, an exchange or a link.
  package var otherPath: FilePath?
  /// The number of errno(3).
  package var errno: Int32
  /// A sentence that says more than the number does.
  package var detail: String?

  /// Makes an error from its parts.
  package init(
    _ operation: SystemCall.Kind, _ path: FilePath?, _ otherPath: FilePath? = nil, errno: Int32,
    detail: String? = nil
  ) {
    self.operation = operation
    self.path = path
    self.otherPath = otherPath
    self.errno = errno
    self.detail = detail
  }

  /// The failure of a call as an observer sees it.
  package init(_ call: SystemCall, errno: Int32) {
    self.init(call.kind, call.path, call.otherPath, errno: errno)
  }

  /// The failure of a read that went beyond a limit of ours, not of the system's.
  static func tooLarge(_ path: FilePath, limit: some BinaryInteger) -> FileError {
    FileError(.read, path, errno: EOVERFLOW, detail: "larger than \(limit) bytes")
  }

  /// A folder of our own that is a link to somewhere else.
  static func linkedFolder(_ folder: FilePath) -> FileError {
    FileError(.access, folder, errno: ELOOP, detail: "it is a link")
  }

  /// The medium or the user's share of it is full, or the file may not grow so large.
  package var isNoSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(errno) }
  /// A limit that we set was passed: the file is too large, or the folder has too many names.
  package var isTooLarge: Bool { errno == EOVERFLOW }
  /// There is no file with this name, or its folder is missing.
  package var isMissing: Bool { [ENOENT, ENOTDIR].contains(errno) }
  /// The name is taken.
  package var isTaken: Bool { errno == EEXIST }
  /// This user may not do that here, or nobody may.
  package var isNotPermitted: Bool { [EACCES, EPERM, EROFS].contains(errno) }
  /// A link is in the place of a folder of our own.
  package var isLinkedFolder: Bool { operation == .access && errno == ELOOP }
  /// The call may succeed the next time, as nothing is wrong with the file itself.
  package var isTransient: Bool { [EIO, EMFILE, ENFILE, ENOMEM, ESTALE].contains(errno) }
  /// This file system or this kernel cannot do that at all.
  package var isUnsupported: Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, ENOTTY].contains(errno)
  }
}

extension FileError {
  /// The error with its paths as a person calls them.
  package func renamed(_ called: (FilePath) -> FilePath) -> FileError {
    var error = self
    (error.path, error.otherPath) = (path.map(called), otherPath.map(called))
    return error
  }
}

extension FileError: CustomStringConvertible {
  /// A sentence for people, file names printed so that they do no harm to a terminal.
  package var message: String {
    let reason = detail ?? FileError.sentence(for: errno)
    guard let path else { return "cannot \(operation.verb): \(reason)" }
    guard let otherPath else { return "cannot \(operation.verb) \(path.printable): \(reason)" }
    let joint = operation == .exchange ? "with" : "to"
    return "cannot \(operation.verb) \(path.printable) \(joint) \(otherPath.printable): \(reason)"
  }

  package var description: String { message }

  /// The system's own words for an error number, the first letter small.
  package static func sentence(for errno: Int32) -> String {
    let text = Errno(rawValue: errno).description
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
