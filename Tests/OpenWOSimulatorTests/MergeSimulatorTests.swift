import Foundation
import OpenWOMergeSimulator
import Testing

/// The long form is `openwo-mergesim`.
struct MergeSimulatorTests {
  private static let runs = ProcessInfo.processInfo.environment["OPENWO_LONG"] == nil ? 60 : 5000

  @Test
  func `three and four devices that write and merge in any order lose no row and double none`() {
    let folder = NSTemporaryDirectory() + "openwo-mergesim-\(UUID().uuidString)"
    var merges = 0
    for seed in 1...UInt64(Self.runs) {
      let run = MergeRun(seed: seed, folder: "\(folder)-\(seed)")
      merges += run.mergeCount
      #expect(run.fault == nil, "seed \(seed): \(run.story.joined(separator: "\n"))")
    }
    #expect(merges > Self.runs)
  }
}
