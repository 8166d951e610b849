import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Writing out what can be read of a damaged file.
struct Recovering: StoreCommand {
  let store: Store

  /// Writes a new database with what can be read of a file in quarantine; without a word it is the only one.
  func run(_ word: String?, to path: FilePath) throws -> RecoveryReport {
    let all = try list()
    let found = word.map { quarantine.named($0, among: all) } ?? all
    guard let file = found.first, found.count == 1 else {
      throw StoreError.noSuchQuarantine(word, among: found, paths)
    }
    try paths.refuse(copyName: path, files)
    let scratch = state.scratch.appending("recovery-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    let report = try recover(file, into: scratch)
    try AtomicFile.copy(scratch, to: path, mode: .createNew, fileSystem: files)
    return report
  }

  /// The files in quarantine, newest first; they count as seen from now on.
  func list() throws -> [QuarantinedFile] {
    let all = try quarantine.list()
    quarantine.markSeen(all)
    return all
  }

  private func recover(_ file: QuarantinedFile, into path: FilePath) throws -> RecoveryReport {
    let content = try FileContent(quarantine.path(of: file), fileSystem: files)
    guard let pages = try FilePages(content) else {
      throw StoreError.nothingToRecover(file, paths)
    }
    let target = try Connection(
      path: path, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    defer { target.close() }
    let found = try Recovery(pages).run(into: target)
    guard !found.tables.isEmpty || found.lostTable != nil else {
      throw StoreError.nothingToRecover(file, paths)
    }
    return RecoveryReport(
      file: file, tables: found.tables.map { RecoveryReport.Table(name: $0.name, rows: $0.rows) },
      lostAndFound: found.lostTable.map {
        RecoveryReport.Table(name: $0, rows: found.lostTableRows)
      },
      unreadable: found.unreadable, notes: found.notes)
  }
}
