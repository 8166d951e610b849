import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// One store, used by one thread at a time: it keeps its working copy and its versions in step.
///
/// `SyncedDatabase` keeps it behind a mutex. What is done with it is done by small values over it,
/// each a `StorePart`.
final class Store {
  let configuration: Configuration
  /// The content of `store.json` when it was last read.
  var manifest: StoreManifest
  let coordinator: FileCoordinator
  let versions: VersionStore
  let events: EventHub
  /// The folder's service, if it has one that coordinates.
  var folder: FolderCoordination

  /// The live file as this device has it.
  let workingCopy: WorkingCopy
  /// The locks that the app was told of.
  let lockNews: LockNews
  /// What is remembered from one look to the next.
  var upkeep = Upkeep()
  /// The call that uses the store just now.
  var call = StoreCall()

  init(
    configuration: Configuration, paths: StorePaths, manifest: StoreManifest,
    device: DeviceIdentity, state: StatePaths, events: EventHub
  ) {
    self.configuration = configuration
    self.manifest = manifest
    self.events = events
    folder = FolderCoordination(paths, configuration)
    let files = configuration.files.refusingLinks(at: paths.ownFolders)
    coordinator = FileCoordinator(
      companion: Companion(paths: paths, store: manifest.store, files: files), state: state,
      device: device, clock: configuration.clock)
    versions = VersionStore(
      store: manifest.store, paths: paths, state: state, files: files,
      clock: configuration.clock, boot: Machine.bootID)
    lockNews = LockNews(device, events)
    workingCopy = WorkingCopy(
      versions, clock: configuration.clock, busyTimeout: configuration.busyTimeout)
  }

  /// How often something is tried again if the live file changes under it.
  static var attempts: Int { 8 }

  /// Opens the store of a database.
  ///
  /// - Throws: `noStore`, `newerFormat`, `otherStore`, `notPermitted`, `unavailable`.
  static func open(_ path: FilePath, _ configuration: Configuration, _ events: EventHub) throws
    -> Store
  {
    try open(StorePaths.resolve(path, configuration), configuration, events)
  }

  static func open(
    _ paths: StorePaths, _ configuration: Configuration, _ events: EventHub
  ) throws -> Store {
    try StoreError.wrapping(paths) {
      let manifest = try StoreManifest.load(paths, configuration)
      let device = try DeviceIdentity.load(
        paths, name: configuration.resolvedDeviceName, configuration.files)
      let states = StateFolder(paths: paths, files: configuration.files)
      try states.adopt(manifest.store)
      let store = Store(
        configuration: configuration, paths: paths, manifest: manifest, device: device,
        state: try states.resolve(manifest.store), events: events)
      try store.prepareState()
      ManifestKeeper(store: store).keepCopy()
      store.state.notePlace(paths.database, configuration.files)
      if let link = paths.link { KnownLinks.note(link, paths, configuration.files) }
      return store
    }
  }

  /// Runs a body with the writer lock, after taking over what other processes of this device did.
  func asWriter<Result>(_ body: () throws -> Result) throws -> Result {
    try coordinator.asWriter {
      try catchUp()
      return try body()
    }
  }

  /// Takes over what other processes of this device have captured, published and recorded.
  func catchUp() throws {
    try versions.refresh()
    guard let found = try workingCopy.signature(), !workingCopy.isAsRecorded(found) else { return }
    // A process that has just committed records that before it gives the writer lock back.
    do {
      try coordinator.asWriter(waitingUpTo: .milliseconds(500)) {}
    } catch let error as StoreError where error.code == .busy {}
    workingCopy.loadBaseline()
  }

  /// Runs a body on a store that is opened for it alone.
  static func using<Result>(
    _ path: FilePath, _ configuration: Configuration, _ body: (Store) throws -> Result
  ) throws -> Result {
    let store = try open(path, configuration, EventHub())
    return try store.session.lettingGo { try body(store) }
  }

  /// Makes the state folder's places.
  func prepareState() throws {
    try files.makeDirectories(state.root)
    if try files.statusIfPresent(state.quarantine) == nil,
      try files.statusIfPresent(state.aside) != nil
    {
      try files.rename(state.aside, to: state.quarantine)
    }
    for folder in [state.pending, state.quarantine, state.scratch] {
      try files.makeDirectories(folder)
    }
  }
}
