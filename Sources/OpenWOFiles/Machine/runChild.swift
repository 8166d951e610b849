import OpenWOCFiles
import SystemPackage

/// Runs a program on our terminal and waits for its end.
///
/// The program is looked up by PATH. While it runs, ^C and ^\ are for the program: this process
/// ignores SIGINT and SIGQUIT, and handles them as before when it ends. Other signals that
/// ``OwnProcess/catchEndSignals()`` catches are passed on to it. `environment` replaces ours. A
/// program that cannot be started is a ``FileError``. One at a time: the treatment of signals
/// belongs to the whole process.
package func runChild(
  arguments: [String], environment: [String: String]? = nil, fileSystem: FileSystem = FileSystem()
) throws(FileError) -> ChildExit {
  try runChild(
    words: arguments.map { Array($0.utf8) }, environment: environment, fileSystem: fileSystem)
}

/// Does the same with words that need not be UTF-8.
package func runChild(
  words: [[UInt8]], environment: [String: String]? = nil, fileSystem: FileSystem = FileSystem()
) throws(FileError) -> ChildExit {
  guard let program = words.first, !program.isEmpty else {
    throw FileError(.spawn, nil, errno: EINVAL, detail: "no program is named")
  }
  let signals = ChildSignals()
  defer { signals.restore() }
  let pid: pid_t
  do throws(FileError) {
    pid = try spawn(words, environment, signals, fileSystem)
  } catch let error where error.errno == ENOENT && !program.contains(UInt8(ascii: "/")) {
    throw FileError(
      .spawn, FilePath(bytes: program), errno: ENOENT, detail: "no such program is found by PATH")
  }
  var status: Int32 = 0
  guard openwo_wait_child(pid, &status) == 0 else {
    throw FileError(.spawn, FilePath(bytes: program), errno: openwo_errno())
  }
  let exit = openwo_exit_status(status)
  return exit >= 0 ? .exited(exit) : .signalled(openwo_end_signal(status))
}

/// Ignores SIGPIPE and SIGXFSZ, for a command to call at its start.
///
/// A closed pipe and a file grown too large are then errors and not the end of the process.
package func ignoreFileSizeSignals() {
  var before = sigaction()
  openwo_set_signal(SIGPIPE, 1, &before)
  openwo_set_signal(SIGXFSZ, 1, &before)
}

private func spawn(
  _ words: [[UInt8]], _ environment: [String: String]?, _ signals: ChildSignals,
  _ fileSystem: FileSystem
) throws(FileError) -> pid_t {
  var texts = words.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
  var variables = environment?.map { strdup("\($0.key)=\($0.value)") }
  defer { for text in texts + (variables ?? []) { free(text) } }
  texts.append(nil)
  variables?.append(nil)
  var defaults = signals.childDefaults
  var pid: pid_t = 0
  try fileSystem.perform(.spawn, FilePath(bytes: words[0])) {
    if var variables { return openwo_spawn(&pid, &texts, &variables, &defaults) }
    return openwo_spawn(&pid, &texts, openwo_environment(), &defaults)
  }
  return pid
}

/// The signal handling of this process while a child runs.
private struct ChildSignals {
  private var before: [(signal: Int32, action: sigaction)] = []

  init() {
    for signal in [SIGINT, SIGQUIT] { set(signal, ignored: 1) }
    // With SIGCHLD ignored, as some launchers leave it, a child's status would be lost.
    var action = sigaction()
    sigaction(SIGCHLD, nil, &action)
    if openwo_is_ignored(&action) != 0 { set(SIGCHLD, ignored: 0) }
  }

  private mutating func set(_ signal: Int32, ignored: Int32) {
    var action = sigaction()
    openwo_set_signal(signal, ignored, &action)
    before.append((signal, action))
  }

  /// The signals that act on the child by default, unless they were ignored before we came.
  var childDefaults: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    sigaddset(&set, SIGXFSZ)
    for (signal, action) in before {
      var action = action
      if openwo_is_ignored(&action) == 0 { sigaddset(&set, signal) }
    }
    return set
  }

  func restore() {
    for (signal, action) in before {
      var action = action
      sigaction(signal, &action, nil)
    }
  }
}
