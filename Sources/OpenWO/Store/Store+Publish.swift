import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Publishing: captured versions go where the service takes them to the other devices.
extension Store {
  /// Puts every captured version into the companion, parents first.
  ///
  /// The version stands durably in the companion before it leaves the state folder, so a crash in between leaves both, which is the same
  /// version twice and harmless.
  func publish() throws {
    unpublishedSince = nil
    changedSinceBase = nil
    let waiting = try versions().waiting(in: state.pending)
    guard !waiting.isEmpty else { return }
    try files.makeDirectories(paths.versions, mode: 0o755)
    for file in waiting {
      let (source, _) = try files.openRegular(file.path)
      try AtomicFile.write(to: paths.versions.appending(file.fileName), fileSystem: files) {
        try $0.append(contentsOf: source)
      }
      try files.unlink(file.path)
      events.send(.published(file.version.id))
    }
    try listVersions()
    try announceHead()
    pruneIfWorthwhile()
  }

  /// Tells the other devices which version this one has.
  func announceHead() throws {
    let current = record?.current
    try coordinator.updateOwnRecord { own in
      guard own.head != current else { return }
      own.head = current
      own.headSince = now
    }
  }
}
