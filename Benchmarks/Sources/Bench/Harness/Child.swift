import CPeers
import Foundation

/// A program run as a peer: waited for, its CPU time and memory taken from the kernel.
struct Child {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let words: [String]
  var folder: String?
  /// What it may end with besides 0.
  var accepted: Set<Int32> = []

  init(_ words: String..., folder: String? = nil, accepted: Set<Int32> = []) {
    (self.words, self.folder, self.accepted) = (words, folder, accepted)
  }

  /// The program that starts all others and takes their measure; it is built beside this one.
  private static let launcher = URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "launch").path

  /// Whether a program can be found.
  static func exists(_ program: String) -> Bool {
    (try? Child("sh", "-c", "command -v \(program)").run()) != nil
  }

  /// Runs it, its output thrown away.
  @discardableResult
  func run(output: Int32 = -1) throws -> Sample {
    let arguments = words.map { strdup($0) }
    defer { for word in arguments { free(word) } }
    let result = (arguments + [nil]).withUnsafeBufferPointer { list in
      peers_run(Self.launcher, list.baseAddress, folder, output)
    }
    guard result.status == 0 || accepted.contains(result.status) else {
      throw Failure(description: "\(words.joined(separator: " ")) ended with \(result.status)")
    }
    return Sample(
      wall: result.wall, cpu: result.cpu, memory: Double(result.memory),
      switches: Double(result.switches))
  }

  /// Runs it and gives back what it wrote.
  func output(through file: String) throws -> String {
    let descriptor = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try run(output: descriptor)
    return try String(contentsOfFile: file, encoding: .utf8)
  }
}
