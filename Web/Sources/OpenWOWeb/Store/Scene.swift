import OpenWOApp

/// The result of one look at a store, for its page.
struct Scene: Sendable {
  let file: StoreFile
  let voice: Voice
  private let lease: OpenStores.Lease
  let differences: DifferenceCache
  let status: StoreStatus
  let lock: LockReport?
  let history: [HistoryEntry]
  private let versions: [VersionID: Version]

  init(
    _ file: StoreFile, _ voice: Voice, _ differences: DifferenceCache, _ stores: OpenStores?
  ) throws {
    (self.file, self.voice, self.differences) = (file, voice, differences)
    lease = try stores?.lease(file) ?? .once(file)
    let store = lease.store
    status = try store.status()
    lock = try store.lockReport()
    history = try store.history()
    versions = Dictionary(
      history.map { ($0.version.id, $0.version) }, uniquingKeysWith: { first, _ in first })
  }

  /// How syncing is; another program that holds the file is noticed.
  var syncState: SyncState {
    var configuration = file.configuration
    configuration.busyTimeout = .milliseconds(200)
    return SyncState.ofStore(path: file.database, configuration, reads: true).state
  }

  /// The store, for the time of this look.
  var store: SyncedDatabase { lease.store }

  /// The version that is live.
  var live: Version? { history.first { $0.isLive }?.version }

  /// The live version as a change names it, so that nothing is done that was decided on another one.
  var head: String { live?.id.description ?? "" }

  func version(_ text: String?) -> Version? {
    guard let text, let id = VersionID(text) else { return nil }
    return versions[id]
  }

  /// The version that another one was made from: of two the one of the same device.
  func parent(of version: Version) -> Version? {
    let parents = version.parents.compactMap { versions[$0] }
    return parents.first { $0.device == version.device } ?? parents.first
  }

  /// Why nothing can be changed now; nil if it can.
  var obstacle: String? {
    guard let lock = status.lock else { return nil }
    return lock.device == status.device.id
      ? voice("Unlock first.", "先にロックを解除してください。")
      : voice(
        "Locked on \(lock.deviceName). This works again after the unlock.",
        "\(lock.deviceName)でロック中です。解除後に使えます。")
  }

  /// A device's name for people.
  func name(_ id: String, _ fallback: String) -> String {
    id == status.device.id ? voice("this device", "この端末") : fallback
  }
}

extension DataValue {
  /// The value as a word that names a row, as a person would type it; nil if no word does.
  var word: String? {
    switch self {
    case .null, .invalidText: nil
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let bytes):
      "x'"
        + bytes.map { byte in
          let text = String(byte, radix: 16, uppercase: true)
          return text.count == 1 ? "0" + text : text
        }.joined() + "'"
    }
  }
}
