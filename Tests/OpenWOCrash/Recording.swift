import Foundation
import OpenWOFiles
import SystemPackage

/// A recording of a program's changes to a disk, call by call.
struct Recording {
  /// One call, told by file numbers and not by names that may lead elsewhere later.
  enum Step {
    case write(file: Int, at: Int, bytes: [UInt8], time: Int64)
    case resize(file: Int, to: Int, time: Int64)
    case extend(file: Int, to: Int)
    case setTime(file: Int, Int64)
    /// The new files of names in some folders; nil: none.
    case name([(path: String, file: Int?)])
    case makeFolder(String)
    case removeFolder(String)
    case sync(file: Int)
    case syncFolder(String)
    case acknowledge(String)
  }

  let before: Disk
  let steps: [Step]

  /// Reads the log of a program that changed files below a folder.
  init(_ before: Disk, _ operations: [Operation], below root: FilePath) throws {
    var translator = Translator(before, root.string + "/")
    steps = try operations.compactMap { try translator.translate($0) }
    var disk = before
    disk.inodes = translator.inodes
    self.before = disk
  }

  /// Runs a program and records it; `before` is the disk at its start.
  static func of(_ words: [String], _ scene: Scene) throws -> Recording {
    let log = scene.root.appending("log-\(randomHex(bytes: 4))")
    let before = try Disk(scene.disk)
    let done = try Child.run(words, scene.shimmed(["OPENWO_SHIM_LOG": log.string]))
    guard done.end == .exited(0) else { throw Failure("\(words) ended so: \(done)") }
    let operations = try Operation.read(FileSystem().readSmall(log, limit: 1 << 30))
    let recording = try Recording(before, operations, below: scene.disk)
    let (told, found) = (recording.disk(after: recording.steps.count), try Disk(scene.disk))
    guard told.content == found.content, told.folders == found.folders else {
      let paths = Set(told.content.keys).union(found.content.keys).filter {
        told.content[$0] != found.content[$0]
      }
      throw Failure("the recorder has missed something of \(paths.sorted()) in \(words)")
    }
    return recording
  }

  /// The disk when everything up to a step is there.
  func disk(after count: Int) -> Disk {
    disk(steps[..<count].map { ($0, .whole) })
  }

  /// How much of a step is there.
  enum Share {
    case whole
    /// These parts of a write, of `size` bytes each.
    case parts(size: Int, Set<Int>)
  }

  /// The disk when these steps are there, in this order.
  func disk(_ steps: [(Step, Share)]) -> Disk {
    var disk = before
    for (step, share) in steps { disk.take(step, share) }
    return disk
  }
}

/// Finds out which files a log is about.
private struct Translator {
  private var names: [String: Int]
  private(set) var inodes: [UInt64: Int]
  private var next: Int
  private let prefix: String

  init(_ before: Disk, _ prefix: String) {
    names = before.names
    inodes = before.inodes
    next = before.files.count
    self.prefix = prefix
  }

  private func own(_ path: String) -> String {
    path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : ""
  }

  private func file(_ operation: Operation) throws -> Int {
    guard let file = inodes[operation.inode] else {
      throw Failure("a file was changed that nobody has made: \(operation.kind)")
    }
    return file
  }

  mutating func translate(_ operation: Operation) throws -> Recording.Step? {
    switch operation.kind {
    case .write:
      return .write(
        file: try file(operation), at: Int(operation.number), bytes: operation.one,
        time: operation.at)
    case .truncate:
      return .resize(file: try file(operation), to: Int(operation.number), time: operation.at)
    case .extend: return .extend(file: try file(operation), to: Int(operation.number))
    case .setTime:
      return inodes[operation.inode].map { .setTime(file: $0, operation.number) }
    case .sync: return .sync(file: try file(operation))
    case .syncFolder: return .syncFolder(own(operation.text))
    case .makeFolder: return .makeFolder(own(operation.text))
    case .removeFolder: return .removeFolder(own(operation.text))
    case .acknowledge:
      return .acknowledge(String(operation.text.dropFirst(4).prefix { $0 != "\n" }))
    case .unknown: throw Failure("not modelled: \(operation.text)")
    case .create, .rename, .exchange, .unlink, .link: return try rename(operation)
    }
  }

  private mutating func rename(_ operation: Operation) throws -> Recording.Step {
    let (one, two) = (own(operation.text), own(operation.secondText))
    let edits: [(path: String, file: Int?)]
    switch operation.kind {
    case .create:
      inodes[operation.inode] = next
      edits = [(one, next)]
      next += 1
    case .rename: edits = [(one, nil), (two, names[one])]
    case .exchange: edits = [(one, names[two]), (two, names[one])]
    case .link: edits = [(two, names[one])]
    default: edits = [(one, nil)]
    }
    for edit in edits { names[edit.path] = edit.file }
    return .name(edits)
  }
}

extension Recording.Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .write(let file, let offset, let bytes, _):
      "write \(bytes.count) bytes at \(offset) of file \(file)"
    case .resize(let file, let size, _): "cut file \(file) to \(size)"
    case .extend(let file, let size): "reserve \(size) for file \(file)"
    case .setTime(let file, _): "set the time of file \(file)"
    case .name(let edits):
      edits.map { "\($0.path) is \($0.file.map { "file \($0)" } ?? "nothing")" }
        .joined(separator: ", ")
    case .makeFolder(let path): "make the folder \(path)"
    case .removeFolder(let path): "remove the folder \(path)"
    case .sync(let file): "sync file \(file)"
    case .syncFolder(let path): "sync the folder \(path)"
    case .acknowledge(let row): "acknowledge \(row)"
    }
  }
}

extension Disk {
  /// Does what a step does, as far as it is there.
  fileprivate mutating func take(_ step: Recording.Step, _ share: Recording.Share) {
    switch step {
    case .write(let file, let offset, let bytes, let time):
      change(file, time) { old in
        for piece in Self.pieces(bytes.count, share) {
          let end = offset + piece.upperBound
          if old.count < end { old += [UInt8](repeating: 0, count: end - old.count) }
          old.replaceSubrange(offset + piece.lowerBound..<end, with: bytes[piece])
        }
      }
    case .resize(let file, let size, let time):
      change(file, time) { old in
        old = Array(old.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - old.count))
      }
    case .extend(let file, let size):
      change(file, nil) { old in
        if old.count < size { old += [UInt8](repeating: 0, count: size - old.count) }
      }
    case .setTime(let file, let time): files[file]?.time = time
    case .name(let edits):
      for edit in edits {
        names[edit.path] = edit.file
        if let file = edit.file, files[file] == nil { files[file] = File(bytes: [], time: 0) }
      }
    case .makeFolder(let path): folders.insert(path)
    case .removeFolder(let path): folders.remove(path)
    case .sync, .syncFolder, .acknowledge: break
    }
  }

  private mutating func change(_ file: Int, _ time: Int64?, _ body: (inout [UInt8]) -> Void) {
    var found = files[file] ?? File(bytes: [], time: 0)
    files[file] = nil
    body(&found.bytes)
    if let time { found.time = time }
    files[file] = found
  }

  private static func pieces(_ count: Int, _ share: Recording.Share) -> [Range<Int>] {
    switch share {
    case .whole: return [0..<count]
    case .parts(let size, let numbers):
      return numbers.sorted().map { min($0 * size, count)..<min(($0 + 1) * size, count) }
    }
  }
}
