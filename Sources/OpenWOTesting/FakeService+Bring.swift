import OpenWOFiles
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bringing one device in step with the service.
extension FakeService {
  /// The places of one device.
  private struct Place {
    let device: String
    let folder: FilePath
    let transit: FilePath
    let files = FileSystem()
  }

  func bring(_ device: String, _ state: inout State) throws {
    let place = Place(
      device: device, folder: FilePath(Self.folder(device, in: root).path),
      transit: FilePath(root.path).appending("transit-\(device)"))
    let found = try scan(place)
    let paths = Set(found.keys).union(state.known[device, default: [:]].keys)
      .union(state.cloud.keys)
    for path in paths.sorted() where state.isHeld?(path) != true {
      try bring(path, found[path], place, &state)
    }
  }

  private func bring(
    _ path: String, _ found: Item?, _ place: Place, _ state: inout State
  ) throws {
    let known = state.known[place.device]?[path]
    let cloud = state.cloud[path]
    let isTorn = found != nil && state.torn[place.device]?[path] == found?.bytes
    if isTorn && state.toTear.contains(path) { return }
    let isChangedHere = !isTorn && found?.bytes != known?.bytes
    guard isChangedHere || isTorn || cloud != known else { return }
    if !isChangedHere {
      return try deliver(path, cloud, over: found, place, &state)
    }
    if cloud == known || cloud == nil || cloud?.bytes == found?.bytes {
      state.cloud[path] = found
      state.known[place.device, default: [:]][path] = found
    } else if let found, let cloud {
      try keepBoth(path, found, cloud, place, &state)
    } else {
      try deliver(path, cloud, over: found, place, &state)
    }
  }

  /// The newer one keeps the name.
  private func keepBoth(
    _ path: String, _ found: Item, _ cloud: Item, _ place: Place, _ state: inout State
  ) throws {
    let isNewerHere = found.modified > cloud.modified
    let copy = conflictName(of: path, place.device) { state.cloud[$0] != nil }
    let older = isNewerHere ? cloud : found
    state.cloud[copy] = older
    try deliver(copy, older, over: nil, place, &state)
    guard isNewerHere else { return try deliver(path, cloud, over: found, place, &state) }
    state.cloud[path] = found
    state.known[place.device, default: [:]][path] = found
  }

  /// Writes or removes a device's file.
  private func deliver(
    _ path: String, _ item: Item?, over old: Item?, _ place: Place, _ state: inout State
  ) throws {
    let target = place.folder.appending(path)
    guard let item else {
      if old != nil { try place.files.unlink(target) }
      state.known[place.device]?[path] = nil
      return
    }
    try place.files.makeDirectories(target.removingLastComponent())
    let isTorn = state.toTear.contains(path) && state.torn[place.device]?[path] == nil
    let bytes = isTorn ? tear(item.bytes, over: old?.bytes ?? []) : item.bytes
    try AtomicFile.write(bytes, to: place.transit, durable: false, fileSystem: place.files)
    try place.files.setTimes(place.transit, modified: item.modified)
    try place.files.rename(place.transit, to: target)
    state.torn[place.device, default: [:]][path] = isTorn ? bytes : nil
    if !isTorn { state.known[place.device, default: [:]][path] = item }
  }

  private func tear(_ new: [UInt8], over old: [UInt8]) -> [UInt8] {
    let half = new.prefix(new.count / 2)
    return Array(half + old.dropFirst(half.count))
  }

  private func conflictName(
    of path: String, _ device: String, isTaken: (String) -> Bool
  ) -> String {
    let full = FilePath(path)
    let (stem, suffix) = (full.stem ?? path, full.extension.map { ".\($0)" } ?? "")
    let time = clock.now.formatted(.iso8601)
    func named(_ name: String) -> String {
      full.removingLastComponent().appending(name + suffix).string
    }
    switch conflictNames {
    case .syncthing:
      let digits = time.filter(\.isNumber)
      let stamp = "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(6))"
      return named("\(stem).sync-conflict-\(stamp)-\(id(of: device))")
    case .dropbox:
      let first = "\(stem) (\(device)'s conflicted copy \(time.prefix(10))"
      var (name, number) = (named(first + ")"), 0)
      while isTaken(name) {
        number += 1
        name = named("\(first) \(number))")
      }
      return name
    }
  }

  /// Seven letters, as Syncthing has them.
  private func id(of device: String) -> String {
    let letters = device.uppercased().filter { ("A"..."Z").contains($0) }
    return String((letters + "ABCDEFG").prefix(7))
  }

  private func scan(_ place: Place) throws -> [String: Item] {
    var found: [String: Item] = [:]
    func look(_ folder: FilePath, _ prefix: String) throws {
      for name in try place.files.list(folder) where !AtomicFile.isStaging(name) {
        let (path, full) = (prefix + name.string, folder.appending(name))
        guard let status = try place.files.statusIfPresent(full) else { continue }
        switch status.kind {
        case .directory: try look(full, path + "/")
        case .regular:
          found[path] = Item(
            bytes: try place.files.readSmall(full, limit: 1 << 30), modified: status.mtime)
        default: break
        }
      }
    }
    if try place.files.statusIfPresent(place.folder) != nil { try look(place.folder, "") }
    return found
  }
}
