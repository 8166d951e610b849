import OpenWOFiles
import OpenWOTestSupport

/// The state of the disk after a machine stops.
package enum Persistence: Hashable, Sendable {
  /// Everything that was done: only the program was killed.
  case everything
  /// Only what was made durable: the content of synced files, and the names in synced folders.
  case synced
  /// All durable data, and some of the rest by a seed: names in the order of their creation, as
  /// journalling file systems keep them, and any parts of writes.
  case ordered(UInt64)
  /// The same, but any of the names.
  case scattered(UInt64)
}

extension Recording {
  /// The disk after a stop that follows this many steps.
  func disk(after count: Int, _ persistence: Persistence) -> Disk {
    if persistence == .everything { return disk(after: count) }
    let durable = durable(count)
    var random = SeededRandom(seed: persistence.seed &+ UInt64(count) &* 0x1000)
    let kept = Double(random.below(5)) / 4
    let open = steps[..<count].indices.filter { !durable[$0] && steps[$0].isAboutNames }
    let cut = open.isEmpty ? 0 : open[random.below(open.count)]
    let isNoneCut = random.below(3) == 0
    var survivors: [(Step, Share)] = []
    for index in 0..<count {
      let step = steps[index]
      if durable[index] {
        survivors.append((step, .whole))
        continue
      }
      switch (persistence, step.isAboutNames) {
      case (.everything, _), (.synced, _): break
      case (.ordered, true): if index < cut || isNoneCut { survivors.append((step, .whole)) }
      case (.scattered, true): if random.chance(kept) { survivors.append((step, .whole)) }
      case (_, false):
        if let share = step.share(kept, &random) { survivors.append((step, share)) }
      }
    }
    return disk(survivors).afterRestart(Machine.bootID)
  }

  /// For each of the first steps, whether a file system must not lose it any more.
  private func durable(_ count: Int) -> [Bool] {
    var durable = [Bool](repeating: true, count: count)
    var files: Set<Int> = []
    var folders: Set<String> = []
    for index in stride(from: count - 1, through: 0, by: -1) {
      switch steps[index] {
      case .sync(let file): files.insert(file)
      case .syncFolder(let path): folders.insert(path)
      case .write(let file, _, _, _), .resize(let file, _, _), .extend(let file, _),
        .setTime(let file, _):
        durable[index] = files.contains(file)
      case .name(let edits):
        durable[index] = edits.allSatisfy { folders.contains(Disk.parent(of: $0.path)) }
      case .makeFolder(let path), .removeFolder(let path):
        durable[index] = folders.contains(Disk.parent(of: path))
      case .acknowledge: break
      }
    }
    return durable
  }
}

extension Persistence {
  fileprivate var seed: UInt64 {
    switch self {
    case .everything, .synced: 0
    case .ordered(let seed), .scattered(let seed): seed
    }
  }
}

extension SeededRandom {
  fileprivate mutating func chance(_ share: Double) -> Bool { Double(below(1000)) < share * 1000 }
}

extension Recording.Step {
  fileprivate var isAboutNames: Bool {
    switch self {
    case .name, .makeFolder, .removeFolder: true
    default: false
    }
  }

  /// How much of a change that nobody has made durable is there; nil: nothing.
  fileprivate func share(_ kept: Double, _ random: inout SeededRandom) -> Recording.Share? {
    guard random.chance(kept) else { return nil }
    guard case .write(_, _, let bytes, _) = self, bytes.count > 512, random.below(3) == 0 else {
      return .whole
    }
    let count = (bytes.count + 511) / 512
    if random.below(2) == 0 { return .parts(size: 512, Set(0..<random.below(count))) }
    return .parts(size: 512, Set((0..<count).filter { _ in random.below(2) == 0 }))
  }
}
