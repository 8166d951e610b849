import OpenWO
import OpenWOFiles
import Synchronization
import SystemPackage

/// A service that coordinates a folder as a test says, and writes down what it was asked.
final class ScriptedFolder: FolderService, FolderSession {
  struct Refused: Error {}

  struct Script {
    /// Every turn that was asked for.
    var asked: [FolderAccess] = []
    /// What this device is allowed just now; nil: nothing.
    var granted: FolderAccess?
    var refuses = false
    var notDownloaded: Set<FilePath> = []
    var downloads: [FilePath] = []
    /// The unresolved conflicts of a file.
    var conflicts: [FilePath: [FolderConflict]] = [:]
    /// The conflicts that were resolved.
    var resolved: [FolderConflict] = []
    /// The process ends before the service hears that a conflict is resolved.
    var losesResolving = false
    /// Whether it says what has not been downloaded, and what is in conflict.
    var answers = true
    var events: FolderEvents?
  }

  struct ProcessEnded: Error {}

  let script = Mutex(Script())

  func session(for place: FolderPlace) -> (any FolderSession)? { self }

  func coordinate(_ access: FolderAccess, _ body: () -> Void) throws {
    try script.withLock { script in
      script.asked.append(access)
      if script.refuses { throw Refused() }
      precondition(script.granted == nil, "a turn inside another turn never comes")
      script.granted = access
    }
    defer { script.withLock { $0.granted = nil } }
    body()
  }

  func notDownloaded(_ items: [FilePath], in folders: [FilePath]) throws -> [FilePath] {
    try script.withLock { script in
      if !script.answers { throw Refused() }
      return script.notDownloaded.filter {
        items.contains($0) || folders.contains($0.removingLastComponent())
      }
    }
  }

  func download(_ item: FilePath) throws { script.withLock { $0.downloads.append(item) } }

  func conflicts(of file: FilePath) throws -> [FolderConflict] {
    try script.withLock { script in
      if !script.answers { throw Refused() }
      return script.conflicts[file] ?? []
    }
  }

  func resolve(_ conflict: FolderConflict, of file: FilePath) throws {
    try script.withLock { script in
      if script.losesResolving { throw ProcessEnded() }
      script.conflicts[file]?.removeAll { $0 == conflict }
      script.resolved.append(conflict)
    }
  }

  func present(_ events: FolderEvents) { script.withLock { $0.events = events } }

  func stopPresenting() { script.withLock { $0.events = nil } }
}

/// Sees every system call on a folder that was made without a turn, or that changes something in a turn for reading.
final class UncoordinatedCalls: SystemCallObserver {
  private let folder: FilePath
  private let service: ScriptedFolder
  private let seen = Mutex<[SystemCall]>([])

  init(_ folder: FilePath, _ service: ScriptedFolder) {
    (self.folder, self.service) = (folder, service)
  }

  var calls: [SystemCall] { seen.withLock { $0 } }

  func willCall(_ call: SystemCall) throws(FileError) {
    // Names and states of files tell nothing of their content, and closing touches none.
    let isLook = [.stat, .list, .realpath, .close, .access, .freeSpace, .watch].contains(call.kind)
    guard call.path?.starts(with: folder) == true, !isLook else { return }
    let granted = service.script.withLock { $0.granted }
    let changes = ![.open, .read, .readAttributes, .flock, .funlock].contains(call.kind)
    if granted == nil || changes && granted == .reading { seen.withLock { $0.append(call) } }
  }

  func didCall(_ call: SystemCall) {}
}
