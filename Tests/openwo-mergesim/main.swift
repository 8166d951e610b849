import Foundation
import OpenWOMergeSimulator

// Devices write and merge, in any order of deliveries: no row may be lost or doubled.
// With --inserts nobody changes or deletes a row. With --fault finds devices do not write down that they found a file: rows are doubled.
// openwo-mergesim [--runs N] [--seed S] [--inserts] [--fault finds] [--story]
var (runs, seed) = (100_000 as UInt64, 1 as UInt64)
var (tellsStory, onlyInserts, hidesFinds) = (false, false, false)
var rest = Array(CommandLine.arguments.dropFirst())[...]
while let option = rest.popFirst() {
  switch option {
  case "--runs": runs = rest.popFirst().flatMap { UInt64($0) } ?? runs
  case "--seed": seed = rest.popFirst().flatMap { UInt64($0) } ?? seed
  case "--inserts": onlyInserts = true
  case "--fault" where rest.first == "finds":
    hidesFinds = true
    rest.removeFirst()
  case "--story": tellsStory = true
  default:
    print("usage: openwo-mergesim [--runs N] [--seed S] [--inserts] [--fault finds] [--story]")
    exit(64)
  }
}
let memory =
  FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
let folder = memory + "openwo-mergesim-\(ProcessInfo.processInfo.processIdentifier)"
var (faults, merges) = (0, 0)
for number in seed..<seed + runs {
  let run = MergeRun(
    seed: number, onlyInserts: onlyInserts, hidesFinds: hidesFinds, folder: "\(folder)-\(number)")
  merges += run.mergeCount
  if tellsStory { for line in run.story { print(line) } }
  if let fault = run.fault {
    faults += 1
    print("seed \(number): \(fault)")
    fflush(nil)
    if faults >= 50 { break }
  }
}
print("\(runs) runs from seed \(seed), \(merges) merges, \(faults) faults")
exit(faults == 0 ? 0 : 1)
