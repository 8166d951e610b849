package import OpenWOFiles
package import SystemPackage

/// The folders with version files: those not yet published, and the companion's `versions`.
package struct Archive: Sendable {
  /// The folders, those that are trusted more in front.
  package let folders: [FilePath]
  let fileSystem: FileSystem
  let sizeLimit: Int64
  /// The machine's clock, by which the system dates files.
  var clock: any StoreClock = SystemClock()

  /// The most names that are read from a folder.
  package static let nameLimit = 200_000
  /// The most bytes of headers that a scan keeps in memory.
  package static let headerLimit: Int64 = 128 * 1024 * 1024

  /// Names the folders; a missing one counts as empty.
  ///
  /// - Parameters:
  ///   - folders: The folders, those that are trusted more in front.
  ///   - fileSystem: The door to the files.
  ///   - sizeLimit: The largest database that is read.
  package init(
    folders: [FilePath], fileSystem: FileSystem, sizeLimit: Int64 = ContentFacts.byteLimit
  ) {
    (self.folders, self.fileSystem, self.sizeLimit) = (folders, fileSystem, sizeLimit)
  }

  /// The same archive by another door, such as one that holds a folder open.
  package func through(_ fileSystem: FileSystem) -> Archive {
    var copy = Archive(folders: folders, fileSystem: fileSystem, sizeLimit: sizeLimit)
    copy.clock = clock
    return copy
  }

  /// Reads what is there.
  ///
  /// Version files never change, so a file that an earlier scan has read is not read again, and one that it refused only when it
  /// looks different; and of a version whose file is gone since then it is still known what it was.
  ///
  /// - Parameter earlier: What an earlier scan saw.
  /// - Returns: All usable files, and those that are not used.
  /// - Throws: `FileError` when a folder cannot be listed.
  package func scan(reusing earlier: ArchiveListing = .empty) throws(FileError) -> ArchiveListing {
    var cache = HeaderCache()
    return try scan(reusing: earlier, &cache)
  }

  /// Reads what is there; a file that looks as it does in the cache is not opened.
  ///
  /// The cache is told of what was read nevertheless.
  package func scan(
    reusing earlier: ArchiveListing, _ cache: inout HeaderCache
  ) throws(FileError) -> ArchiveListing {
    var files = earlier.files
    var problems: [ArchiveProblem] = []
    var lost: [ArchiveFile] = []
    var refused = earlier.refused.filter { isStill($0.key, $0.value.signature) }
    let damaged = earlier.damaged.filter { isStill($0.key, $0.value) }
    var isChanged = earlier.folders != folders || damaged.count != earlier.damaged.count
    for path in earlier.damaged.keys where damaged[path] == nil {
      let name = path.lastComponent?.string ?? ""
      if let file = files[path.removingLastComponent()]?.removeValue(forKey: name) {
        lost.append(file)
      }
    }
    problems += damaged.keys.map { ArchiveProblem(path: $0, reason: .invalid(.wrongContent)) }
    for folder in folders {
      let known = files[folder] ?? [:]
      let names = try names(in: folder)
      let new = read(
        names.filter { known[$0.text] == nil }, in: folder, &problems, &refused, &cache)
      let isGone = names.count { known[$0.text] != nil } < known.count
      guard isGone || !new.isEmpty else { continue }
      isChanged = true
      if known.isEmpty {
        files[folder] = new
        continue
      }
      let there = Set(names.lazy.map(\.text))
      lost += known.lazy.filter { !there.contains($0.key) }.map(\.value)
      files[folder] = known.filter { there.contains($0.key) }.merging(new) { _, new in new }
    }
    if !isChanged { return ArchiveListing(earlier, problems, refused) }
    return ArchiveListing(
      folders: folders, files: files, problems: problems, damaged: damaged, refused: refused,
      remembering: earlier.pruned + lost.flatMap(\.versions))
  }

  private func isStill(_ path: FilePath, _ signature: FileSignature) -> Bool {
    (try? fileSystem.lstat(path).signature) == signature
  }

  /// Reads files that were not read before; the others are problems.
  private func read(
    _ names: [FolderName], in folder: FilePath,
    _ problems: inout [ArchiveProblem], _ refused: inout [FilePath: ArchiveListing.Refused],
    _ cache: inout HeaderCache
  ) -> [String: ArchiveFile] {
    var files: [String: ArchiveFile] = [:]
    files.reserveCapacity(names.count)
    var room = Self.headerLimit
    let start = clock.now()
    let looks = looks(at: names.lazy.map(\.text), in: folder)
    for (place, name) in names.enumerated() {
      if let look = looks?[place], let file = cache.file(name.text, look, in: folder),
        file.byteCount <= room
      {
        room -= file.byteCount
        files[name.text] = file
        continue
      }
      let path = name.path(in: folder)
      if let known = refused[path] {
        problems.append(ArchiveProblem(path: path, reason: .invalid(known.error)))
        continue
      }
      do {
        guard let file = try read(name.text, in: folder) else {
          problems.append(ArchiveProblem(path: path, reason: .init(unusedName: name.text)))
          continue
        }
        room -= file.byteCount
        guard room >= 0 else {
          // It may be read once others are gone.
          let error = HistoryError.malformed("there are too many headers to read")
          problems.append(ArchiveProblem(path: path, reason: .invalid(error)))
          continue
        }
        files[name.text] = file
        if let look = looks?[place] { cache.note(name.text, look, file, now: start) }
      } catch {
        guard let reason = ArchiveProblem.Reason(error) else { continue }
        problems.append(ArchiveProblem(path: path, reason: reason))
        if case .invalid(let error) = reason {
          refused[path] = settled(path, before: start).map { .init(signature: $0, error: error) }
        }
      }
    }
    return files
  }

  /// How files look before they are read; nil if they are too few for that to pay.
  private func looks(
    at names: some Collection<String>, in folder: FilePath
  ) -> [FileStatus?]? {
    guard names.count >= HeaderCache.leastCount else { return nil }
    return try? fileSystem.statuses(of: names, in: folder)
  }

  /// The signature of a file that changed long enough ago that its next change will show in its
  /// times; else nil.
  private func settled(_ path: FilePath, before start: Int64) -> FileSignature? {
    guard let found = try? fileSystem.lstat(path), found.ctime / 1_000_000 + 100 < start else {
      return nil
    }
    return found.signature
  }

  private func names(in folder: FilePath) throws(FileError) -> [FolderName] {
    do throws(FileError) {
      return try fileSystem.listMany(folder, limit: Self.nameLimit)
    } catch let error where error.isMissing {
      return []
    }
  }

  /// Reads the file of this name; nil if the name is none of the archive.
  func read(_ name: String, in folder: FilePath) throws -> ArchiveFile? {
    if let versionName = VersionFileName(name) {
      return .version(try read(versionName, in: folder))
    }
    guard let parts = ArchiveFileName(name), parts.kind == PrunedList.kind else { return nil }
    let bytes = try fileSystem.readSmall(folder.appending(name), limit: PrunedList.byteLimit)
    return .pruned(try PrunedList(bytes, name: parts))
  }

  /// Reads the header of one version file.
  func read(_ name: VersionFileName, in folder: FilePath) throws -> StoredVersion {
    let (descriptor, status) = try fileSystem.openRegular(folder.appending(name.text))
    let file = FileContent(descriptor, from: 0, size: status.size, fileSystem: fileSystem)
    var start = try file.prefix(4096)
    if !start.contains(UInt8(ascii: "\n")) { start = try file.prefix(VersionFile.headerLimit) }
    let stored = try VersionFile.decode(start, name: name, in: folder, fileSize: file.size)
    // Nothing else says how long these are, so a half-arrived one would go unnoticed.
    if case .pages = stored.payload {
      _ = try PagesIndex(file.dropFirst(stored.payloadOffset), newSize: stored.version.bytes)
    }
    return stored
  }
}
