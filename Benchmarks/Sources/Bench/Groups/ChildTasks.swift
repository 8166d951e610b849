import Foundation
import OpenWO
import OpenWOFiles
import OpenWOMerge
import SystemPackage

/// What this program does when it is run as a child of itself, so that time and memory are those of one task.
enum ChildTasks {
  static func run(_ words: [String]) throws {
    var configuration = Configuration()
    configuration.stateFolder = words.count > 2 ? FilePath(words[2]) : nil
    configuration.monitors = false
    switch words[0] {
    case "reconcile":
      let store = try SyncedDatabase(path: words[1], configuration: configuration)
      _ = try store.reconcile()
      try store.close()
    case "write":
      let store = try SyncedDatabase(path: words[1], configuration: configuration)
      try store.write { try WorkoutEdit.day(Int(words[3]) ?? 0, on: $0) }
      try store.close()
    case "diff":
      let (a, b) = (
        try WrapperGroup.connect(words[1], .readOnly), try WrapperGroup.connect(words[2], .readOnly)
      )
      _ = try difference(from: a, to: b)
    case "merge":
      try MergeGroup.merge(words[1], words[2], words[3], into: words[4])
    case "lock":
      let lock = try OSLock.acquire(
        .exclusive, on: .file(FilePath(words[1])), waitingUpTo: .seconds(30), clock: SystemClock(),
        fileSystem: FileSystem())
      lock.release()
    default: throw Child.Failure(description: "no task \(words[0])")
    }
  }
}
