import OpenWOFiles
import SystemPackage

/// The headers that this device has read, so that its next process need not open ten thousand files.
///
/// A header holds for a file while that is the same file with the same size and times. A file that
/// changed shortly before it was read is left out, since its next change may not show in its times.
package struct HeaderCache: Sendable {
  /// A file as it looked before its header was read.
  struct Look: Hashable {
    let signature: FileSignature
    /// A service that takes the content away for a time leaves the size, and may leave the times.
    let blocks: Int64

    init(_ status: FileStatus) {
      (signature, blocks) = (status.signature, status.blocks)
    }

    init(signature: FileSignature, blocks: Int64) {
      (self.signature, self.blocks) = (signature, blocks)
    }
  }

  struct Entry {
    let look: Look
    let file: ArchiveFile
  }

  /// By the names of the files.
  var entries: [String: Entry] = [:]
  /// How many headers were read that were not in the cache.
  private(set) var freshCount = 0

  /// From so many files on their headers are kept: fewer are read in no time.
  static let leastCount = 64
  /// Some file systems date their files to two seconds.
  private static let settlingTime: Int64 = 2_500

  /// A cache in which there is nothing.
  package init() {}

  /// Whether enough is new for the cache to be written again.
  package var isWorthWriting: Bool {
    freshCount >= max(Self.leastCount, entries.count / 128)
  }

  /// What was read from a file that looks like this; nil if that is not known.
  func file(_ name: String, _ status: FileStatus, in folder: FilePath) -> ArchiveFile? {
    guard let entry = entries[name], entry.look == Look(status) else { return nil }
    return entry.file.moved(to: folder)
  }

  /// Notes what was read from a file that looked like this before; `now` is a time before that.
  mutating func note(_ name: String, _ status: FileStatus, _ file: ArchiveFile, now: Int64) {
    let changed = max(status.ctime, status.mtime) / 1_000_000
    guard changed + Self.settlingTime < now else { return }
    // It may have grown since.
    if case .version(let stored) = file, stored.fileSize != status.size { return }
    entries[name] = Entry(look: Look(status), file: file)
    freshCount += 1
  }

  /// Forgets the files that are not in the listing.
  package mutating func keepOnly(_ listing: ArchiveListing) {
    entries = entries.filter { name, _ in
      listing.files.values.contains { $0[name] != nil }
    }
  }
}

extension ArchiveFile {
  fileprivate func moved(to folder: FilePath) -> ArchiveFile {
    guard case .version(let stored) = self else { return self }
    return .version(
      StoredVersion(
        version: stored.version, payload: stored.payload, folder: folder,
        payloadOffset: stored.payloadOffset, fileSize: stored.fileSize))
  }
}
