import Foundation
import OpenWOFiles
import Synchronization

/// A program in a process of its own, whose output is read to its end.
package struct Child: Sendable {
  /// How it ended.
  package enum End: Sendable, Hashable {
    case exited(Int32), signalled(Int32)
    /// It ran past its limit and was killed.
    case hung
  }

  /// The id from `posix_spawn`.
  package let pid: Int32
  /// Where its standard output and standard error come.
  package let output: Int32

  /// One at a time makes a pipe and starts a child with it, so that no other child holds its end.
  private static let spawning = Mutex(())

  /// Starts a program with these variables besides those of this process.
  package init(_ words: [String], _ variables: [String: String] = [:]) throws {
    var environment = ProcessInfo.processInfo.environment
    environment.merge(variables) { _, new in new }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    var arguments = words.map { strdup($0) } + [nil]
    var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    (pid, output) = try Self.spawning.withLock { _ in
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure("no pipe: \(errno)") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
      var pid: pid_t = 0
      let code = posix_spawnp(&pid, words[0], &actions, nil, &arguments, &settings)
      close(ends[1])
      guard code == 0 else { throw Failure("cannot run \(words[0]): \(code)") }
      return (pid, ends[0])
    }
  }

  /// Runs a program to its end; its output is both streams, one behind the other as they came.
  package static func run(
    _ words: [String], _ variables: [String: String] = [:], seconds: Int64 = 30
  ) throws -> (end: End, output: String) {
    let child = try Child(words, variables)
    let clock = SystemClock()
    let deadline = clock.monotonic() + seconds * 1_000_000_000
    var text: [UInt8] = []
    var isHung = false
    while !isHung, let piece = child.read(until: deadline) {
      if piece.isEmpty { isHung = clock.monotonic() >= deadline }
      text += piece
    }
    if isHung { kill(child.pid, SIGKILL) }
    let end = child.wait()
    return (isHung ? .hung : end, String(decoding: text, as: UTF8.self))
  }

  /// Reads what has come; empty when nothing did until the deadline of the monotonic clock, nil at its end.
  package func read(until deadline: Int64) -> [UInt8]? {
    var waited = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let left = max(0, (deadline - SystemClock().monotonic() + 999_999) / 1_000_000)
    guard poll(&waited, 1, Int32(left)) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(output, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Waits for its end.
  package func wait() -> End {
    close(output)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
  }
}

/// Why a campaign cannot continue.
package struct Failure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
