import CPeers
import Foundation

/// A program that runs beside the cases until it is ended; it ends with this process, even when that is killed.
struct Daemon {
  private let process: Int32

  /// Starts it; what it says goes to a file.
  init(_ words: String..., log: String) throws {
    let descriptor = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let arguments = words.map { strdup($0) }
    defer { for word in arguments { free(word) } }
    process = (arguments + [nil]).withUnsafeBufferPointer { list in
      peers_start(list.baseAddress, descriptor)
    }
    guard process > 0 else {
      throw Child.Failure(description: "\(words.joined(separator: " ")) cannot be started")
    }
  }

  var isRunning: Bool { peers_is_running(process) != 0 }

  /// Kills it and waits for it; once only.
  func end() { peers_end(process) }
}
