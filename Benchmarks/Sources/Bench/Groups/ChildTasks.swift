import CPeers
import Foundation
import OpenWO
import SystemPackage

/// What this program does when it is run as a child of itself, so that time and memory are those of one task.
enum ChildTasks {
  static func run(_ words: [String]) throws {
    var configuration = Configuration()
    configuration.stateFolder = FilePath(words[2])
    configuration.monitors = false
    switch words[0] {
    case "reconcile":
      let store = try SyncedDatabase(path: words[1], configuration: configuration)
      _ = try store.reconcile()
      try store.close()
    case "idle":
      configuration.monitors = true
      let store = try SyncedDatabase(path: words[1], configuration: configuration)
      Thread.sleep(forTimeInterval: Double(words[3]) ?? 10)
      print(peers_switches())
      try store.close()
    default: throw Child.Failure(description: "no task \(words[0])")
    }
  }
}
