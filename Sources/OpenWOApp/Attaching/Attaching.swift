import OpenWO
import OpenWOFiles
import SystemPackage

/// Moves an app's data from a local file into the synced folder, and back for times without the
/// folder.
///
/// Nothing is ever deleted: a finished file is renamed, and both files keep their versions.
struct Attaching {
  let profile: AppProfile
  let places: AppPlaces
  let memory: FilePath
  let local: FilePath
  private(set) var record: AttachmentRecord
  /// The outcome for the local data when the file in the folder was opened; nil if there was none.
  var atLaunch: AttachReport?

  init(_ profile: AppProfile, _ places: AppPlaces) throws {
    self.profile = profile
    self.places = places
    memory = places.memory(profile)
    local = places.local(profile)
    record = try AttachmentRecord.load(memory, places.configuration.files)
  }

  var files: FileSystem { places.configuration.files }
  var configuration: Configuration { places.configuration(profile) }
  var now: Timestamp { Timestamp(milliseconds: configuration.clock.now()) }

  /// Changes the current record and saves it.
  mutating func note(_ change: (inout AttachmentRecord) -> Void) throws {
    record = try AttachmentRecord.load(memory, files)
    change(&record)
    try record.save(memory, files)
  }

  /// Opens a store for one task, without a background thread.
  func quietly<Result>(_ path: FilePath, _ body: (SyncedDatabase) throws -> Result) throws -> Result
  {
    var configuration = configuration
    configuration.monitors = false
    let store = try SyncedDatabase(at: path, configuration: configuration)
    defer { try? store.close() }
    return try body(store)
  }

  func exists(_ path: FilePath) throws -> Bool { try files.statusIfPresent(path) != nil }

  /// Keeps a report for later.
  @discardableResult
  func log(_ report: AttachReport) throws -> AttachReport {
    let folder = memory.appending("log")
    try files.makeDirectories(folder)
    try CompanionFile.write(
      report, to: folder.appending("attach-\(report.at.compact).json"), files)
    return report
  }

  func report(
    _ kind: AttachReport.Kind, _ tables: [AttachReport.Table] = [], failure: String? = nil,
    keptAt: FilePath? = nil
  ) -> AttachReport {
    AttachReport(
      at: now, kind: kind, tables: tables, failure: failure, keptAt: keptAt?.printable)
  }
}

extension SyncedDatabase {
  /// The version that is live.
  func liveVersion() throws -> Version {
    guard let entry = try history().first(where: \.isLive) else {
      throw StoreError(
        .unavailable, "the live content is not a version yet",
        advice: Advice("bring it up to date", .sync))
    }
    return entry.version
  }
}

extension Timestamp {
  /// The moment in a form for a file's name.
  var compact: String { description.filter { $0.isNumber || $0 == "T" || $0 == "Z" } }
}
