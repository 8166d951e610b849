import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Other files in the folder that may hold content of the database.
extension VersionDetector {
  /// A younger staging file may still be written by its device.
  private static var stagingAge: Int64 { 60_000 }

  /// One file beside the database whose name fits.
  struct Candidate {
    var file: FileName
    var origin: Sighting.Origin
    /// The service that makes such names; nil for a staging file of ours.
    var service: SyncService?
    /// Its name is the database's own in another Unicode form.
    var isTwin = false
  }

  /// The conflict copies and the staging files that a crash has left.
  ///
  /// `unread` says why one of them cannot be read just now.
  func lookAtCopies(
    _ listing: VersionListing
  ) throws -> (copies: [Sighting.Copy], unread: FileError?) {
    var found: [Sighting.Copy] = []
    var unread: FileError?
    for candidate in try candidates() {
      let path = paths.folder.appending(candidate.file.component)
      guard let status = try files.statusIfPresent(path) else { continue }
      let changedAt = Timestamp(nanoseconds: status.ctime)
      // One from the future was written before a clock was set back, or by a server whose clock is ahead.
      let age = now.milliseconds(since: changedAt)
      if candidate.origin == .staging, age.magnitude < Self.stagingAge { continue }
      let entry: CopyLedger.Entry
      do {
        entry = try self.entry(candidate, path, status, listing)
      } catch let error as FileError where error.isTransient {
        // Leave it for the next look; one unreadable copy must not block the others.
        unread = error
        continue
      } catch let error as FileError where error.isMissing && error.path == path {
        // Somebody has removed it since it was listed.
        continue
      }
      // Another owner's file is left alone.
      let isOthers = entry.isForeign || candidate.origin == .staging && !entry.isTorn
      if entry.content == nil, isOthers { continue }
      found.append(
        Sighting.Copy(
          file: candidate.file, content: entry.content, changedAt: changedAt,
          modifiedAt: Timestamp(nanoseconds: status.mtime), origin: candidate.origin))
    }
    return (found, unread)
  }

  /// The files beside the database whose names say that they may be copies of it, in order of name.
  func candidates() throws -> [Candidate] {
    guard let name = paths.databaseName else { return [] }
    let own = name.bytes
    let parts = [paths.companion, paths.journal, paths.writeAheadLog, paths.sharedMemory]
    let known = [own] + parts.compactMap(\.lastComponent?.bytes)
    let names = try files.list(paths.folder) { !known.contains($0.bytes) }
    // Telling names apart is prepared at some cost, and mostly there is nothing to tell apart.
    let mayConcern = NameRecogniser.mayConcern(own)
    let ours = names.filter { mayConcern($0.bytes) }
    guard !ours.isEmpty else { return [] }
    let recogniser = NameRecogniser(database: own, others: otherStores(names))
    return ours.compactMap { name -> Candidate? in
      switch recogniser.sibling(name.bytes) {
      case .staging: Candidate(file: FileName(name), origin: .staging)
      case .conflictedCopy(let found):
        Candidate(
          file: FileName(name), origin: origin(found), service: found.service)
      case .databaseTwin:
        // To a device that does not tell the forms apart it is the database itself.
        Candidate(file: FileName(name), origin: .unremovable, isTwin: true)
      default: nil
      }
    }.sorted { $0.file < $1.file }
  }

  private func origin(_ name: ConflictName) -> Sighting.Origin {
    guard name.isRemovable else { return .unremovable }
    return switch name.strength {
    case .strong: .service
    case .word: .perhapsService
    case .weak: .perhapsPerson
    }
  }

  /// A database with its own companion is not a copy of this one.
  private func otherStores(_ names: [FilePath.Component]) -> [[UInt8]] {
    let suffix = Array(".openwo".utf8)
    return names.filter { $0.bytes.suffix(suffix.count).elementsEqual(suffix) && !isOurs($0) }
      .map { Array($0.bytes.dropLast(suffix.count)) }
  }

  /// Whether a folder is this store's companion in another Unicode form.
  private func isOurs(_ companion: FilePath.Component) -> Bool {
    guard let own = paths.companion.lastComponent, companion.isTwin(of: own) else {
      return false
    }
    let manifest = paths.folder.appending(companion).appending("store.json")
    let found = try? CompanionFile.read(StoreManifest.self, at: manifest, files)
    return found.flatMap(\.self).map { $0.store == store.manifest.store } ?? true
  }

  private func entry(
    _ candidate: Candidate, _ path: FilePath, _ status: FileStatus, _ listing: VersionListing
  ) throws -> CopyLedger.Entry {
    // Check each time: files beside a copy come and go without a trace on the copy.
    if let why = try Unfinished.reason(path, files) {
      let entry = try unfinished(candidate, path, status, why)
      store.upkeep.copies.entries[candidate.file] = entry
      return entry
    }
    if let known = store.upkeep.copies.entry(candidate.file, status.signature),
      known.facts != nil || known.content.map(listing.graph.contains(content:)) ?? true
    {
      return known
    }
    // It is new, or its version was replaced by the next one.
    let entry = try CopyExaminer(store: store).examine(
      path, status, isWeak: candidate.origin.isWeak, listing)
    store.upkeep.copies.entries[candidate.file] = entry
    return entry
  }

  /// A copy with part of its content in a file beside it: only whether it is another database can
  /// be told.
  private func unfinished(
    _ candidate: Candidate, _ path: FilePath, _ status: FileStatus, _ why: String
  ) throws -> CopyLedger.Entry {
    if let known = store.upkeep.copies.entries[candidate.file], known.signature == status.signature,
      known.isForeign || known.isUnfinished
    {
      return known
    }
    let foreign = try CopyExaminer(store: store).foreign(
      path, status, isWeak: candidate.origin.isWeak)
    return foreign
      ?? CopyLedger.Entry(signature: status.signature, problem: why, isUnfinished: true)
  }
}
