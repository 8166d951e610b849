import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// One part of what a store does: a small value over the store, made where it is needed.
///
/// A part keeps nothing from one call to the next, and names the store's places and instruments as
/// the store does.
protocol StorePart {
  var store: Store { get }
}

extension StorePart {
  var configuration: Configuration { store.configuration }
  var paths: StorePaths { store.coordinator.paths }
  var state: StatePaths { store.coordinator.state }
  var files: FileSystem { store.coordinator.files }
  var companion: Companion { store.coordinator.companion }
  var device: DeviceIdentity { store.coordinator.device }
  var versions: VersionStore { store.versions }
  var workingCopy: WorkingCopy { store.workingCopy }
  var coordinator: FileCoordinator { store.coordinator }
  var events: EventHub { store.events }
  var clock: any StoreClock { store.configuration.clock }
  var now: Timestamp { store.coordinator.now }
}

/// The parts that many others use.
extension StorePart {
  var session: Session { Session(store: store) }
  var newVersions: NewVersions { NewVersions(store: store) }
  var rules: Rules { Rules(store: store) }
  var quarantine: Quarantine { Quarantine(state: state, files: files, now: now) }
  var publishing: Publishing { Publishing(store: store) }
  var housekeeping: Housekeeping { Housekeeping(store: store) }
  var waitingCommits: WaitingCommits { WaitingCommits(store: store) }
}

/// The store names its parts as they name each other.
extension Store: StorePart {
  var store: Store { self }
}
