import OpenWOFiles
import SystemPackage

extension StorePaths {
  /// Refuses to write a file that the next sync would take for a conflict copy of the database.
  func refuse(copyName path: FilePath, _ files: FileSystem) throws {
    let target = path.removingLastComponent()
    guard let name = path.lastComponent, let own = databaseName,
      let whole = try? files.realpath(target.isEmpty ? "." : target),
      try whole == files.realpath(folder)
    else { return }
    switch NameRecogniser(database: own.bytes).sibling(name.bytes) {
    case .conflictedCopy, .databaseTwin, .staging, .journal:
      throw StoreError(
        .usage,
        "\(name.printable) beside \(own.printable) would be taken for a conflicted copy of it; "
          + "nothing was written",
        advice: next("choose another folder or name", .readHelp(.showing)))
    default: return
    }
  }
}
