import OpenWOFiles
import SystemPackage

/// The folders: whether they can be written, which files they hold, and on which file system they
/// are.
extension Doctor {
  /// The state folder, which has to be right before a store can be opened at all.
  static func stateFolder(_ paths: StorePaths, _ configuration: Configuration) -> [Finding] {
    let files = configuration.files
    let root = paths.stateRoot
    do {
      try files.makeDirectories(root)
      try tryWriting(root, files)
    } catch {
      return [
        Finding(
          .error, "stateFolder",
          "the state folder \(root.printable) cannot be written: \(sentence(error))",
          advice: Advice("name another one", .nameStateFolder), remedies: [.allowAccess])
      ]
    }
    let whole = (try? files.realpath(root)) ?? root
    if whole.starts(with: paths.folder) {
      return [
        Finding(
          .error, "stateFolder",
          "the state folder \(root.printable) is in the synced folder, where other devices "
            + "write over it",
          advice: Advice("name one outside", .nameStateFolder), remedies: [.correctCall])
      ]
    }
    return [Finding(.ok, "stateFolder", "the state folder \(root.printable) can be written")]
  }

  /// In bytes; even a small version needs some blocks.
  private static let leastSpace: Int64 = 64 << 10

  func checkFolders() throws -> [Finding] {
    var found: [Finding] = []
    for folder in [paths.folder, paths.companion] {
      do {
        // Only asked, as a look changes nothing in the folder.
        try files.checkWritable(folder)
      } catch {
        found.append(
          Finding(
            .error, "folder",
            "\(paths.called(folder).printable) cannot be written: \(sentence(error))",
            advice: paths.next("see who owns it", .owner(paths.called(folder)))))
      }
    }
    if Machine.isNetworkFileSystem(paths.folder) {
      let name = Machine.fileSystemName(paths.folder)
      found.append(
        Finding(
          .warning, "networkFileSystem",
          "\(paths.called(paths.folder).printable) is on a file server (\(name)), where locks of other machines "
            + "may not be seen",
          advice: paths.next(
            "keep it on a disk of this machine and let a service sync it", .readHelp(nil)),
          remedies: [.chooseFile, .correctCall]))
    }
    if let size = try files.statusIfPresent(paths.database)?.size {
      for (place, name) in [(paths.folder, "folder"), (paths.stateRoot, "state folder")]
      where try files.freeSpace(place) < max(2 * size, Self.leastSpace) {
        found.append(
          Finding(
            .warning, "space", "less than twice the database's size is free in the \(name)",
            advice: paths.next("make room", .space(paths.called(place)))))
      }
    }
    return found.isEmpty
      ? [Finding(.ok, "folder", "\(paths.called(paths.companion).printable) can be written")]
      : found
  }

  /// Makes a file that services skip and takes it away again: permission bits do not tell all.
  private static func tryWriting(_ folder: FilePath, _ files: FileSystem) throws {
    let path = AtomicFile.stagingPath(for: folder.appending("doctor"))
    _ = try files.open(path, .readWrite, options: [.create, .exclusiveCreate])
    try files.unlink(path)
  }

  private static func sentence(_ error: any Error) -> String {
    (error as? FileError)?.message ?? "\(error)"
  }

  private func sentence(_ error: FileError) -> String { error.renamed(paths.called).message }

  /// Whether all who may use the database may use its companion; earlier openwos kept that to themselves.
  func checkSharing() throws -> [Finding] {
    guard let wanted = try files.statusIfPresent(paths.database)?.mode,
      try !unsharedPaths().isEmpty
    else { return [] }
    return [
      Finding(
        .warning, "sharing",
        "other accounts that may use the database may not use all of \(paths.called(paths.companion).printable)",
        advice: paths.next("let them", .share(mode: wanted, paths.called(paths.companion))))
    ]
  }

  /// Files in the companion that are not ours: copies that a service made, or anything else.
  func checkCompanion() throws -> [Finding] {
    let known = ["store.json", "devices", "locks", "versions"]
    var strange = try files.list(paths.companion, limit: 10_000) { name in
      !known.contains(name.string) && !AtomicFile.isStaging(name) && !Self.isFileManagers(name)
    }.map { "\($0.printable) is not a file of openwo" }
    let records = Set(try store.coordinator.readableDevices().records.map { "\($0.id).json" })
    if try files.statusIfPresent(paths.devices) != nil {
      strange += try files.list(paths.devices, limit: 10_000) { name in
        !records.contains(name.string) && !AtomicFile.isStaging(name) && !Self.isFileManagers(name)
      }.map { "devices/\($0.printable) is not a device file" }
    }
    strange += try store.coordinator.board().problems.map { "locks/\($0.file): \($0.why)" }
    return strange.sorted().map { sentence in
      Finding(
        .warning, "foreignFile", "\(sentence); it is left alone",
        advice: paths.next(
          "look at it, and remove it if it is a service's copy",
          .listTree(paths.called(paths.companion))),
        remedies: [.waitForService, .correctCall])
    }
  }

  /// Whether a file manager makes a file of this name by itself in any folder that it shows.
  private static func isFileManagers(_ name: FilePath.Component) -> Bool {
    [".DS_Store", "desktop.ini", "Desktop.ini", "Thumbs.db", ".directory"].contains(name.string)
      || name.string.hasPrefix("._")
  }

  /// A journal beside the database that holds a transaction.
  func checkJournal() throws -> [Finding] {
    guard let status = try files.statusIfPresent(paths.journal),
      try status.kind != .regular || holdsTransaction(paths.journal)
    else { return [] }
    return [
      beside(paths.journal, "a program was interrupted while it wrote, or a service brought it")
    ]
  }

  /// Whether SQLite would play a journal back.
  ///
  /// A program in the journal mode TRUNCATE or PERSIST leaves one that is empty or begins with zeros.
  private func holdsTransaction(_ journal: FilePath) throws -> Bool {
    let (file, _) = try files.openRegular(journal)
    return try FileSystem.withBuffer(byteCount: 512) { (buffer) throws(FileError) in
      try files.pread(file, at: 0, into: buffer) > 0 && buffer[0] != 0
    }
  }

  /// The files of WAL mode beside the database: in use, or left over.
  func checkLog() throws -> [Finding] {
    let found = try LogFiles(beside: paths, files)
    let named = found.names(paths)
    guard !named.isEmpty, try isSingleFile() else {
      return named.map { beside($0, "a program has switched the database to WAL mode") }
    }
    if found.mayHoldPages {
      return [
        Finding(
          .warning, "strayLog",
          "\(paths.called(paths.writeAheadLog).printable) is beside a database that is not in WAL mode, and "
            + "other programs would take what it holds for newer than the database",
          advice: paths.next(
            "close other programs, then take it out of the folder",
            .moveHome(paths.called(paths.writeAheadLog))), remedies: [.closeOtherPrograms])
      ]
    }
    return named.map { path in
      Finding(
        .info, "spentLog",
        "\(paths.called(path).printable) is left from WAL mode and holds nothing",
        advice: paths.next("close other programs, then remove it", .remove(paths.called(path))),
        remedies: [.closeOtherPrograms])
    }
  }

  /// Whether the database is known not to be in WAL mode.
  private func isSingleFile() throws -> Bool {
    let live = try store.session.looking {
      let detector = VersionDetector(store: store)
      return try coordinator.lockInTheWay() == nil
        ? detector.look().live : detector.lookAtLive(store.versions.listed())
    }
    if case .whole = live { return true }
    return false
  }

  private func beside(_ path: FilePath, _ why: String) -> Finding {
    Finding(
      .warning, "sibling", "\(paths.called(path).printable) is beside the database: \(why)",
      advice: paths.next("close other programs, then", .sync),
      remedies: [.closeOtherPrograms, .sync])
  }

  /// Checks the copies that services have made beside the database, and other files with such
  /// names.
  func checkCopies() throws -> [Finding] {
    try ConflictCopies(store: store).list().filter { !$0.isTwin }.map { copy in
      let name = paths.called(paths.folder.appending(copy.path))
      return switch copy.need {
      case .sync:
        Finding(
          .warning, "conflict",
          "\(copy.path) looks like a conflicted copy: \(copy.problem ?? copy.relation.rawValue)",
          advice: paths.next("bring both sides together", .sync))
      case .person:
        Finding(
          .warning, "conflict",
          "\(copy.path) looks like a conflicted copy, but it is not whole: "
            + (copy.problem ?? copy.relation.rawValue),
          advice: copy.unfinished.map(finish)
            ?? paths.next(
              "if nothing is still bringing it, take it out of the folder", .moveHome(name)),
          remedies: [.waitForService])
      case .nothing where copy.relation == .diverged:
        Finding(
          .info, "backup",
          "\(copy.path) has changes of its own; people choose such names, too, so it does not go live "
            + "by itself",
          advice: paths.next("to bring in its rows", .merge(.file(name))))
      case .nothing:
        Finding(
          .info, "backup",
          "\(copy.path) holds a version that the store has; it is left alone as a backup")
      }
    } + namesakes()
  }

  private func namesakes() throws -> [Finding] {
    try ConflictCopies(store: store).namesakes().map { file, problem in
      Finding(
        .info, "namesake",
        "\(file) is named like a copy of \(paths.database.lastComponent?.printable ?? ""), "
          + "but \(problem); it is left alone")
    }
  }

  /// The advice to open the copy with SQLite, which replays its log or rolls back its journal.
  private func finish(_ copy: FilePath) -> Advice {
    paths.next(
      "once all has arrived, let SQLite finish it", .sqlite(paths.called(copy), .tables))
  }
}
