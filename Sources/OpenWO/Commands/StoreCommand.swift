import OpenWOFiles

/// One command: a small value that is made for one call of a store and reads as the command does.
///
/// It observes, asks a pure decision what follows, and acts. A dry run ends with the decision.
protocol StoreCommand {
  var store: Store { get }
}

extension StoreCommand {
  var paths: StorePaths { store.paths }
  var files: FileSystem { store.files }
  var versions: VersionStore { store.versions }
  var workingCopy: WorkingCopy { store.workingCopy }
  var coordinator: FileCoordinator { store.coordinator }
}
