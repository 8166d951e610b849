package import OpenWO
import OpenWOFiles
package import SystemPackage

extension SyncState {
  /// The sync state of one database as a command sees it, which keeps nothing open; and why it
  /// could not be opened.
  ///
  /// With `reads` the file is read, too, so that another program that holds it is noticed.
  public static func ofStore(
    path: String, _ configuration: Configuration, network: any NetworkProbing = NetworkProbe(),
    reads: Bool = false
  ) -> (state: SyncState, error: StoreError?) {
    ofStore(at: FilePath(path), configuration, network: network, reads: reads)
  }

  /// Does the same for a path that need not be text.
  package static func ofStore(
    at path: FilePath, _ configuration: Configuration, network: any NetworkProbing = NetworkProbe(),
    reads: Bool = false
  ) -> (state: SyncState, error: StoreError?) {
    let folder = path.removingLastComponent()
    let finding = FolderProbe().look(at: folder.isEmpty ? "." : folder.string)
    var state = SyncState(
      activeStore: .synced, syncEnabled: true, availability: finding.availability,
      network: network.look(), status: .synced)
    var problem = finding.problem
    var failure: StoreError?
    var isWaiting = false
    do {
      let store = try SyncedDatabase(at: path, configuration: configuration)
      let status = try store.status()
      isWaiting = try take(status, store.syncFacts(), &state)
      switch status.state {
      case .damaged: problem = problem ?? .damaged
      case .missing: problem = problem ?? .missing
      case .unavailable: problem = problem ?? .serviceUnavailable
      default:
        let isUnfinished = status.obstacle?.error == StoreError.Code.copyNotWhole.description
        problem = problem ?? (isUnfinished ? .unfinishedCopy : nil)
      }
      // What another program holds is only known of a file that one reads.
      if reads, problem == nil { _ = try store.read { try $0.userVersion } }
    } catch {
      let error = StoreError(onDevice: error)
      (failure, problem) = (error, problem ?? SyncErrorKind(error.code))
    }
    if finding.availability == .noAccount || finding.availability == .restricted {
      // The data is not in the folder, wherever the app keeps it now.
      (state.activeStore, problem) = (.local, nil)
    }
    state.lastError = problem ?? (state.network == .offline ? .networkUnavailable : nil)
    state.status = status(
      state.activeStore, lastError: problem ?? state.lastError, isWaiting: isWaiting)
    return (state, failure)
  }

  /// Takes over the store's status; returns whether something waits.
  private static func take(
    _ status: StoreStatus, _ facts: SyncFacts, _ state: inout SyncState
  ) -> Bool {
    state.lastLocalSaveAt = facts.lastLocalSaveAt
    state.lastCheckedAt = status.lastCheckedAt
    state.lockedBy = status.lock?.deviceName
    state.setAside = status.setAside.changeCount
    state.seenBy = facts.devices.filter { !$0.isThisDevice && $0.head == status.head }
      .compactMap { device in
        device.headSince.map { Sighting(device: device.name, at: $0) }
      }
    return facts.waiting > 0 || [.edited, .conflict].contains(status.state)
      || status.obstacle != nil
  }
}

extension [SetAside] {
  /// How many changes of rows are in the history only; a side of which nothing is known counts as one.
  var changeCount: Int {
    map { side in
      Swift.max(1, side.changes.map { $0.inserted + $0.updated + $0.deleted }.reduce(0, +))
    }.reduce(0, +)
  }
}
