import OpenWOFiles
import SystemPackage

/// The fuzz targets: each is one reader of something that others can write.
enum FuzzTarget: String, CaseIterable {
  case version, json, journal, pages, names, planner

  typealias Entry = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

  /// The function that libFuzzer calls.
  var entry: Entry {
    switch self {
    case .version: { Self.version.run($0, $1) }
    case .json: { Self.json.run($0, $1) }
    case .journal: { Self.journal.run($0, $1) }
    case .pages: { Self.pages.run($0, $1) }
    case .names: { Self.names.run($0, $1) }
    case .planner: { Self.planner.run($0, $1) }
    }
  }

  private func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    switch self {
    case .version: VersionTarget.run(input)
    case .json: JSONTarget.run(input)
    case .journal: JournalTarget.run(input)
    case .pages: PagesTarget.run(input)
    case .names: NamesTarget.run(input)
    case .planner: PlannerTarget.run(input)
    }
    return 0
  }

  /// Inputs made by the project's own writers.
  private func seeds() throws -> [[UInt8]] {
    switch self {
    case .version: try VersionTarget.seeds()
    case .json: try JSONTarget.seeds()
    case .journal: try JournalTarget.seeds()
    case .pages: try PagesTarget.seeds()
    case .names: NamesTarget.seeds()
    case .planner: PlannerTarget.seeds()
    }
  }

  /// Writes the seeds into a folder named for the target.
  func writeSeeds(under folder: String) throws {
    let (files, own) = (FileSystem(), FilePath(folder).appending(rawValue))
    try files.makeDirectories(own)
    for (number, seed) in try seeds().enumerated() {
      try AtomicFile.write(
        seed, to: own.appending("seed-\(number)"), durable: false, fileSystem: files)
    }
  }
}
