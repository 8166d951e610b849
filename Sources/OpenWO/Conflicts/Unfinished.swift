import OpenWOFiles
import SystemPackage

/// Files beside a database that belong to its content: a journal that SQLite would roll back, or a
/// log with rows that are not in the file yet.
enum Unfinished {
  /// Why the file alone is not all of its content; nil if it is.
  static func reason(_ path: FilePath, _ files: FileSystem) throws -> String? {
    if try isHot(FilePath(bytes: path.bytes + Array("-journal".utf8)), files) {
      return "a transaction in it is not finished: see its journal"
    }
    let log = try files.statusIfPresent(FilePath(bytes: path.bytes + Array("-wal".utf8)))
    return (log?.size ?? 0) > 0 ? "some of its rows are in the log beside it only" : nil
  }

  /// Whether SQLite would play a journal back; one that is over begins with zeros: <https://sqlite.org/fileformat2.html#the_rollback_journal>.
  private static func isHot(_ journal: FilePath, _ files: FileSystem) throws -> Bool {
    guard let status = try files.statusIfPresent(journal) else { return false }
    guard status.kind == .regular else { return true }
    var first: [UInt8] = []
    do throws(FileError) {
      let (descriptor, _) = try files.openRegular(journal)
      try FileSystem.withBuffer(byteCount: 1) { (buffer) throws(FileError) in
        first = try Array(buffer.prefix(files.pread(descriptor, at: 0, into: buffer)))
      }
    } catch {
      if error.isTransient { throw error }
      // A file that cannot be read may be anything.
      return !error.isMissing
    }
    return first.contains { $0 != 0 }
  }
}
