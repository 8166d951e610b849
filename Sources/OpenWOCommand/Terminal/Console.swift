import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage

/// The only place that writes to the terminal: results to standard output, everything else to standard error.
struct Console: Sendable {
  let output: FileDescriptor
  let remarks: FileDescriptor
  /// How text for standard output is set.
  let outputStyle: Style
  /// How text for standard error is set.
  let remarkStyle: Style

  /// The console of the running process.
  static func own(_ color: ColorChoice) -> Console {
    Console(
      output: .standardOutput, remarks: .standardError,
      outputStyle: Style(.standardOutput, color), remarkStyle: Style(.standardError, color))
  }

  /// Whether somebody sits before the terminal and reads remarks.
  var isInteractive: Bool { Terminal.isTerminal(remarks.rawValue) }

  /// Writes a result.
  func print(_ text: String) throws {
    try write(Array((text + "\n").utf8))
  }

  /// Writes bytes of a result.
  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }

  /// Writes bytes of a result.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    do {
      try output.writeAll(bytes)
    } catch let error as Errno {
      throw Self.failure(error)
    }
  }

  /// Prints a remark, which is not part of the result.
  func remark(_ text: String) {
    _ = try? remarks.writeAll(Array((text + "\n").utf8))
  }

  /// Puts a line in the place of the one shown before, on a terminal; an empty one only clears it.
  func show(_ line: String) {
    let width = (remarkStyle.width ?? 80) - 1
    let blank = String(repeating: " ", count: width)
    _ = try? remarks.writeAll(Array("\r\(blank)\r\(line.prefix(width))".utf8))
  }

  /// Prints an error, and what to do next.
  func complain(_ error: StoreError) {
    let lines =
      remarkStyle.prose(remarkStyle.localTimes(error.message), after: "openwo: error: ")
      + NextCommand.ways(error.hint).flatMap { remarkStyle.way($0, after: "openwo: hint: ") }
    let mark = remarkStyle.red("error")
    remark(
      lines.joined(separator: "\n").replacing(
        "openwo: error", with: "openwo: \(mark)", maxReplacements: 1))
  }

  private static func failure(_ error: Errno) -> any Error {
    switch error {
    case Errno.brokenPipe: BrokenPipe()
    case Errno.noSpace, .diskQuotaExceeded, .fileTooLarge:
      StoreError(
        .noSpace, "cannot write the output: no space is left",
        hint: "make room, or write it elsewhere: openwo help")
    default:
      StoreError(
        .io, "cannot write the output: \(FileError.sentence(for: error.rawValue))",
        hint: "write it elsewhere: openwo help")
    }
  }
}

/// Nobody reads standard output any more.
struct BrokenPipe: Error {}
