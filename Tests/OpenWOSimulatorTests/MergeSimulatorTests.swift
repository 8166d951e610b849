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

  /// A row whose number went to another one came back, or two sides kept a row that their ancestors
  /// had deleted in part; a write that names a late twin beside what it was made from; a merge base
  /// that is itself a late twin; rows of a table without a key that merges had renumbered, as
  /// VACUUM does.
  @Test(
    arguments: [
      (500_044, onlyInserts: false), (500_897, onlyInserts: false), (335, onlyInserts: true),
      (335, onlyInserts: false), (1605, onlyInserts: false), (313_134, onlyInserts: true),
    ] as [(seed: UInt64, onlyInserts: Bool)])
  func `a run that doubled or lost a row once does so no more`(
    run: (seed: UInt64, onlyInserts: Bool)
  ) {
    let folder = NSTemporaryDirectory() + "openwo-mergesim-\(UUID().uuidString)"
    let made = MergeRun(seed: run.seed, onlyInserts: run.onlyInserts, folder: folder)
    #expect(made.fault == nil, "\(made.story.joined(separator: "\n"))")
  }

  @Test func `a device that takes a found content for its own write doubles rows`() {
    let folder = NSTemporaryDirectory() + "openwo-mergesim-\(UUID().uuidString)"
    let faults = [3375, 3487, 3791].compactMap { seed in
      MergeRun(seed: seed, onlyInserts: true, hidesFinds: true, folder: "\(folder)-\(seed)").fault
    }
    #expect(faults.contains { $0.contains("is there twice") })
  }
}
