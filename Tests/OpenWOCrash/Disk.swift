import Foundation
import OpenWOFiles
import SystemPackage

/// The files of a disk by number, and the names that lead to them.
struct Disk {
  struct File: Hashable {
    var bytes: [UInt8]
    /// Its time, in nanoseconds.
    var time: Int64
  }

  var files: [Int: File] = [:]
  /// The file of each path below the disk's folder.
  var names: [String: Int] = [:]
  var folders: Set<String> = []

  /// The inodes of what was read and of what was made since, with the numbers that they have here.
  var inodes: [UInt64: Int] = [:]

  init() {}

  /// Reads everything below a folder.
  init(_ folder: FilePath) throws {
    for (path, status) in try Disk.listing(of: folder) {
      guard status.kind != .directory else {
        folders.insert(path)
        continue
      }
      let number = files.count
      let bytes = try FileSystem().readSmall(folder.pushing(FilePath(path)), limit: 1 << 28)
      files[number] = File(bytes: bytes, time: status.mtime)
      names[path] = number
      inodes[status.inode] = number
    }
  }

  /// The files below a folder, by their paths there.
  static func listing(of folder: FilePath, _ prefix: String = "") throws -> [String: FileStatus] {
    let system = FileSystem()
    var found: [String: FileStatus] = [:]
    for name in try system.list(folder) {
      let path = folder.appending(name)
      let status = try system.lstat(path)
      found[prefix + name.string] = status
      if status.kind == .directory {
        try found.merge(listing(of: path, prefix + name.string + "/")) { one, _ in one }
      }
    }
    return found
  }

  /// Whether all folders on the way to a path are there.
  func isReachable(_ path: String) -> Bool {
    let parent = Disk.parent(of: path)
    return parent.isEmpty || folders.contains(parent) && isReachable(parent)
  }

  static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The bytes behind every path that can be reached.
  var content: [String: [UInt8]] {
    names.reduce(into: [:]) { found, entry in
      if isReachable(entry.key), let file = files[entry.value] { found[entry.key] = file.bytes }
    }
  }

  /// The same after a restart of the machine: the recorded boot id is another one.
  func afterRestart(_ boot: String) -> Disk {
    guard !boot.isEmpty else { return self }
    let (old, new) = (Data(boot.utf8), [UInt8](repeating: 0x30, count: boot.utf8.count))
    var disk = self
    disk.names = [:]
    for (path, file) in names {
      disk.names[path.replacing(boot, with: String(decoding: new, as: UTF8.self))] = file
    }
    for (number, file) in files where file.bytes.count < 65_536 {
      // `firstRange(of:)` takes thirty times as long.
      if let range = Data(file.bytes).range(of: old) {
        disk.files[number]?.bytes.replaceSubrange(range, with: new)
      }
    }
    return disk
  }

  /// A number for what it is; times do not count.
  var fingerprint: Int {
    var hasher = Hasher()
    for (path, number) in names.sorted(by: { $0.key < $1.key }) where isReachable(path) {
      hasher.combine(path)
      let bytes = files[number]?.bytes
      hasher.combine(bytes?.count)
      bytes?.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    hasher.combine(folders.filter(isReachable).sorted())
    return hasher.finalize()
  }

  /// Puts the files of a folder that were read as files of this disk into a drawer, by their numbers.
  func keepFiles(of root: FilePath, in drawer: FilePath) throws {
    let system = FileSystem()
    try system.makeDirectories(drawer)
    let now = try Disk(root)
    let paths = now.names.reduce(into: [:]) { $0[$1.value] = $1.key }
    for (inode, found) in now.inodes {
      guard let number = inodes[inode], let path = paths[found] else { continue }
      try system.link(root.pushing(FilePath(path)), to: drawer.appending("\(number)"))
    }
  }

  /// Makes a folder equal to this disk; a file in the drawer keeps its identity, as after a crash.
  func materialize(at root: FilePath, from drawer: FilePath) throws {
    let system = FileSystem()
    let manager = FileManager.default
    try? manager.removeItem(atPath: root.string)
    try system.makeDirectories(root)
    for folder in folders.sorted() where isReachable(folder) {
      try system.makeDirectory(root.pushing(FilePath(folder)), mode: 0o755)
    }
    var made: [Int: String] = [:]
    for (path, number) in names where isReachable(path) {
      guard let file = files[number] else { continue }
      let target = root.pushing(FilePath(path))
      if let first = made[number] {
        try system.link(root.pushing(FilePath(first)), to: target)
        continue
      }
      made[number] = path
      let kept = drawer.appending("\(number)")
      let isKept = try system.statusIfPresent(kept) != nil
      if isKept { try system.link(kept, to: target) }
      let descriptor = try system.open(
        target, .readWrite, options: isKept ? [.truncate] : [.create, .exclusiveCreate],
        permissions: 0o600)
      try file.bytes.withUnsafeBytes { try system.pwrite(descriptor, at: 0, $0) }
      try system.close(descriptor)
      try system.setTimes(target, modified: file.time)
    }
    try markJournals(at: root)
  }
}
