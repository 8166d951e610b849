import OpenWOFiles
import OpenWOHistory

/// What a process remembers from one look at the folder to the next.
struct Upkeep: Sendable {
  /// When the live file was last used, by the monotonic clock in nanoseconds.
  var lastUse: Int64 = 0
  /// When the first write that is not published was captured, by the monotonic clock; nil if all is
  /// published.
  private(set) var unpublishedSince: Int64?
  /// When what waits is due, so that the folder has to be looked at again.
  var nextLook: Timestamp?
  /// Whether a service may miss the last commit, because it came soon after another one.
  var needsTouch = false
  /// The results for the copies beside the database.
  var copies = CopyLedger()
  /// The `store.json` that was read last.
  var manifest: FileSignature?
  /// The parents of joins that this device cannot make, so that none is tried again and again.
  var refusedJoins: Set<[VersionID]> = []
  /// How the last look at the folder ended; nil while none has come to its end.
  var outcome: SyncOutcome?
  /// The changes of the sides that were set aside.
  var comparedSides = ComparedSides()
  /// The last error of a call.
  var lastError: StoreError.Code?
  /// How often in a row a look found that another program keeps the live file locked.
  private var busyLooks = 0
  /// The version that last replaced a missing or damaged database, and how often in a row.
  private var mended: (version: VersionID, times: Int)?

  /// The version that the live file last had, and since when it has had unknown content.
  private var unknown: (after: VersionID?, since: Timestamp)?

  func isLookDue(at now: Timestamp) -> Bool { nextLook.map { $0 <= now } ?? false }

  mutating func captured(at moment: Int64) {
    unpublishedSince = unpublishedSince ?? moment
    // It may settle what was open, and only a look tells.
    if outcome?.isUpToDate != true { nextLook = Timestamp(milliseconds: 0) }
  }

  mutating func publishedAll() { unpublishedSince = nil }

  /// Plans the next look if a program keeps the file locked, as nothing tells when it lets go.
  mutating func looked(isBusy: Bool, at now: Timestamp) {
    guard isBusy else {
      busyLooks = 0
      return
    }
    nextLook = now.advanced(bySeconds: 1 << Int64(min(busyLooks, 6)))
    busyLooks += 1
  }

  /// Notes that the live file has unknown content or, with nil, that it has not; returns since
  /// when.
  mutating func sawUnknown(since moment: Timestamp?, after version: VersionID?) -> Timestamp? {
    guard let moment else {
      unknown = nil
      return nil
    }
    if let unknown, unknown.after == version { return unknown.since }
    unknown = (version, moment)
    return moment
  }

  mutating func mended(by version: VersionID) {
    let before = mended.flatMap { $0.version == version ? $0.times : nil } ?? 0
    mended = (version, before + 1)
  }

  /// How much longer a missing database may stay missing, so that only the device that wrote it
  /// last puts it back; in milliseconds.
  ///
  /// It doubles each time: a service that runs every few minutes takes two restored files for a
  /// conflict, and removes both.
  func othersTime(_ graceTime: Int64) -> Int64 { graceTime << min(mended?.times ?? 0, 7) }
}
