package import OpenWOFiles
package import SystemPackage

/// The folders in which version files stand: those not yet published, and the companion's `versions`.
package struct Archive: Sendable {
  /// The folders, those that are read first in front.
  package let folders: [FilePath]
  let fileSystem: FileSystem
  let sizeLimit: Int64

  /// The most names that are read from a folder.
  package static let nameLimit = 200_000
  /// The most bytes of headers that a scan keeps in memory.
  package static let headerLimit = 128 * 1024 * 1024

  /// Names the folders; a missing one counts as empty.
  ///
  /// - Parameters:
  ///   - folders: The folders.
  ///   - fileSystem: The door to the files.
  ///   - sizeLimit: The largest database that is read.
  package init(
    folders: [FilePath], fileSystem: FileSystem, sizeLimit: Int64 = ContentFacts.byteLimit
  ) {
    (self.folders, self.fileSystem, self.sizeLimit) = (folders, fileSystem, sizeLimit)
  }

  /// Reads what is there.
  ///
  /// Version files never change, so the header of a file that an earlier scan has read is not read again.
  ///
  /// - Parameter earlier: What an earlier scan saw.
  /// - Returns: All usable version files, and the files that are not used.
  /// - Throws: `FileError` when a folder cannot be listed.
  package func scan(reusing earlier: ArchiveListing = .empty) throws -> ArchiveListing {
    var stored: [StoredVersion] = []
    var problems: [ArchiveProblem] = []
    var headerBytes = 0
    for folder in folders {
      for name in try names(in: folder) {
        let path = folder.appending(name)
        guard let fileName = VersionFileName(name.string) else {
          problems.append(ArchiveProblem(path: path, reason: .init(unusedName: name)))
          continue
        }
        do {
          let file = try earlier.known[path] ?? read(path, fileName)
          headerBytes += Int(file.payloadOffset)
          guard headerBytes <= Self.headerLimit else {
            throw HistoryError.malformed("the headers are too many to read")
          }
          stored.append(file)
        } catch let error as FileError where error.isMissing {
          continue
        } catch let error as FileError {
          problems.append(ArchiveProblem(path: path, reason: .unreadable(error)))
        } catch let error as HistoryError {
          problems.append(ArchiveProblem(path: path, reason: .invalid(error)))
        }
      }
    }
    return ArchiveListing(
      stored: stored, problems: problems,
      known: Dictionary(stored.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }))
  }

  private func names(in folder: FilePath) throws(FileError) -> [FilePath.Component] {
    do throws(FileError) {
      let names = try fileSystem.list(folder, limit: Self.nameLimit)
      return names.map { ($0, $0.string) }
        .sorted { $0.1.utf8.lexicographicallyPrecedes($1.1.utf8) }.map(\.0)
    } catch let error where error.isMissing {
      return []
    }
  }

  /// Reads the header of one file.
  func read(_ path: FilePath, _ name: VersionFileName) throws -> StoredVersion {
    let (descriptor, status) = try fileSystem.openRegular(path)
    let file = FileContent(descriptor, from: 0, size: status.size, fileSystem: fileSystem)
    for limit in [4096, VersionFile.headerLimit] {
      var start = [UInt8](repeating: 0, count: Int(min(Int64(limit), file.size)))
      let count = try start.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
      start.removeLast(start.count - count)
      guard start.contains(UInt8(ascii: "\n")) || limit == VersionFile.headerLimit else { continue }
      let stored = try VersionFile.decode(
        start, name: name, in: path.removingLastComponent(), fileSize: file.size)
      if case .pages = stored.payload { try check(stored, file, start) }
      return stored
    }
    throw HistoryError.malformed("the header is too long")
  }

  /// Makes sure that the payload has arrived whole: its size stands nowhere else.
  private func check(_ stored: StoredVersion, _ file: FileContent, _ start: [UInt8]) throws {
    if Int64(start.count) == file.size {
      let payload = MemoryContent(Array(start[Int(stored.payloadOffset)...]))
      _ = try PagesIndex(payload, newSize: stored.version.bytes)
    } else {
      _ = try PagesIndex(file.dropFirst(stored.payloadOffset), newSize: stored.version.bytes)
    }
  }
}
