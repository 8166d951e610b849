package import OpenWO
import OpenWOFiles
package import SystemPackage

extension SyncState {
  /// How syncing of one database stands, as a command sees it that keeps nothing open; and why it could not be opened.
  public static func ofStore(
    path: String, _ configuration: Configuration, network: any NetworkProbing = NetworkProbe()
  ) -> (state: SyncState, error: StoreError?) {
    ofStore(at: FilePath(path), configuration, network: network)
  }

  /// Does the same for a path that need not be text.
  package static func ofStore(
    at path: FilePath, _ configuration: Configuration, network: any NetworkProbing = NetworkProbe()
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
      default: break
      }
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

  /// Takes over what the store says; answers whether something waits.
  private static func take(
    _ status: StoreStatus, _ facts: SyncFacts, _ state: inout SyncState
  ) -> Bool {
    state.lastLocalSaveAt = facts.lastLocalSaveAt
    state.lastCheckedAt = status.lastCheckedAt
    state.lockedBy = status.lock?.deviceName
    state.setAside = status.setAside.count
    state.seenBy = facts.devices.filter { !$0.isThisDevice && $0.head == status.head }
      .compactMap { device in
        device.headSince.map { Sighting(device: device.name, at: $0) }
      }
    return facts.waiting > 0 || [.edited, .conflict].contains(status.state)
  }
}
