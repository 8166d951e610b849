import OpenWOCFiles
import SystemPackage

/// The running process: what it was given, and how it ends.
package enum OwnProcess {
  /// The program's name as it was called, as bytes.
  package static var name: [UInt8] { CommandLine.unsafeArgv[0].map(bytes) ?? [] }

  /// The words of the command line after the program's name, as bytes.
  package static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map(bytes)
    }
  }

  /// The value of a variable of the environment, as bytes; nil if it is missing or empty.
  package static func variable(_ name: String) -> [UInt8]? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return bytes(value)
  }

  /// Sets a variable of the environment for the programs that this process starts; no other thread may read them meanwhile.
  package static func setVariable(_ name: String, _ value: String) {
    setenv(name, value, 1)
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }

  private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
    bytes(UnsafePointer(text))
  }

  /// The running thread, by a number that no other thread has meanwhile; never 0.
  package static var thread: UInt { UInt(openwo_thread()) }

  /// Ensures that no file of ours gets the number of a standard stream that the process was started
  /// without.
  ///
  /// Using such a stream fails afterwards, as it would have before.
  package static func keepStandardStreams() {
    openwo_keep_standard_streams()
  }

  /// Ends the process.
  package static func exit(_ status: Int32) -> Never {
    OpenWOCFiles.exit(status)
  }

  /// Replaces this process by another program with these arguments; returns only by throwing.
  package static func become(
    _ words: [[UInt8]], fileSystem: FileSystem = FileSystem()
  ) throws(FileError) -> Never {
    let name = FilePath(bytes: words.first ?? [])
    var texts = words.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
    texts.append(nil)
    defer { for text in texts { free(text) } }
    if let program = texts[0] {
      _ = try fileSystem.perform(.spawn, name) { execv(program, &texts) }
    }
    throw FileError(.spawn, name, errno: EINVAL)
  }

  /// From now on, a signal that asks the process to end is only recorded, so that the process can
  /// clean up first.
  package static func catchEndSignals() {
    openwo_catch_end_signals()
  }

  /// The signal that asked the process to end, once one was caught.
  package static var caughtSignal: Int32? {
    let number = openwo_caught_signal()
    return number == 0 ? nil : number
  }

  /// Catches the signals that ask for the end, and holds them back but for ``waitForEndSignal()``.
  ///
  /// To be called before other threads start: they take over that they are not to be bothered.
  package static func holdEndSignals() {
    openwo_hold_end_signals()
  }

  /// The signal that Ctrl-C sends.
  package static var interrupt: Int32 { SIGINT }

  /// Sleeps until a signal asks for the end and gives its number, or 0 after ``endWaitForSignal()``.
  package static func waitForEndSignal() -> Int32 { openwo_wait_end_signal() }

  /// Ends the wait for a signal, from another thread.
  package static func endWaitForSignal() {
    openwo_end_wait()
  }
}
