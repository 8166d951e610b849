import Foundation
import Testing

/// A temporary folder in which a test plays: a synced folder, one state folder for each device, the programs at hand.
///
/// Commands run in the synced folder, through bash, as a person would type them.
final class Stage {
  let root: URL
  private(set) var names = Placeholders()

  init() throws {
    Stage.heedSignals
    let memory = URL(fileURLWithPath: "/dev/shm")
    let files = FileManager.default
    // In memory if possible: fsync costs nothing there.
    let top = files.fileExists(atPath: memory.path) ? memory : files.temporaryDirectory
    root = top.resolvingSymlinksInPath().appending(path: "openwo-stage-\(UUID())")
    for name in ["Training", "home", "state"] {
      try files.createDirectory(
        at: root.appending(path: name), withIntermediateDirectories: true)
    }
  }

  deinit {
    _ = try? run("chmod -R u+rwX \"$STAGE\"")
    try? FileManager.default.removeItem(at: root)
  }

  var folder: URL { root.appending(path: "Training") }

  /// The environment of every command.
  var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return [
      "PATH": "\(Stage.programs.path):\(path)", "HOME": root.appending(path: "home").path,
      "STAGE": root.path, "OPENWO_STATE_DIR": root.appending(path: "state").path,
      "OPENWO_DEVICE_NAME": "laptop", "TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "dumb",
      // A command that is one word of another device's.
      "BASH_FUNC_on%%": """
      () { local device=$1; shift; OPENWO_STATE_DIR=$STAGE/state-$device OPENWO_DEVICE_NAME=$device "$@"; }
      """,
    ]
  }

  /// The result of one command.
  struct Result {
    var status: Int32
    var output: Data
    var remarks: Data

    var text: String { String(decoding: output, as: UTF8.self) }
    var remarkText: String { String(decoding: remarks, as: UTF8.self) }
  }

  /// Runs one line of bash in the synced folder.
  @discardableResult
  func run(_ line: String, input: String = "") throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.environment = environment
    process.currentDirectoryURL = folder
    // Files, because a pipe that nobody empties would stop the command.
    let (output, remarks, source) = (file("out"), file("err"), file("in"))
    defer { for url in [output, remarks, source] { try? FileManager.default.removeItem(at: url) } }
    try Data().write(to: output)
    try Data().write(to: remarks)
    try Data(input.utf8).write(to: source)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: remarks)
    process.standardInput = try FileHandle(forReadingFrom: source)
    try process.run()
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Result(
      status: process.terminationStatus + (isSignal ? 128 : 0),
      output: try Data(contentsOf: output), remarks: try Data(contentsOf: remarks))
  }

  private func file(_ name: String) -> URL { root.appending(path: "\(name)-\(UUID())") }

  /// Runs one line and gives its output as text, which has to succeed.
  @discardableResult
  func text(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let result = try run(line)
    #expect(result.status == 0, "\(line)\n\(result.remarkText)", sourceLocation: sourceLocation)
    return result.text
  }

  /// Runs one line and reads its output as a JSON document.
  func json(
    _ line: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String: Any] {
    let text = try text(line, sourceLocation: sourceLocation)
    #expect(text.filter { $0 == "\n" }.count == 1, sourceLocation: sourceLocation)
    return try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      sourceLocation: sourceLocation)
  }

  /// Commands run as in a terminal, even if the tests run in the background, where signals are
  /// ignored.
  private static let heedSignals: Void = {
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE] { signal(number, SIG_DFL) }
  }()

  /// The folder of this build's programs: beside the test bundle.
  static let programs: URL = {
    let arguments = CommandLine.arguments
    let bundle = arguments.first { $0.contains(".xctest") } ?? arguments[0]
    var url = URL(fileURLWithPath: bundle)
    while url.path.contains(".xctest") { url.deleteLastPathComponent() }
    return url
  }()
}

/// Transcripts: what a person types, and what a person sees.
extension Stage {
  /// Plays a transcript and compares the output with it.
  ///
  /// A line after `$ ` is typed. Its standard output follows as it is, its standard error after
  /// `! `, and a status other than 0 in brackets. Text that differs from run to run has a name of
  /// the same length, such as `<version--1>`.
  func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var played: [String] = []
    for line in transcript.split(separator: "\n", omittingEmptySubsequences: false)
    where line.hasPrefix("$ ") {
      played.append(String(line))
      let result = try run(names.fill(String(line.dropFirst(2))))
      played += lines(result.output, before: "")
      played += lines(result.remarks, before: "! ")
      if result.status != 0 { played.append("[\(result.status)]") }
    }
    let seen = played.joined(separator: "\n")
    #expect(
      seen == transcript, "seen:\n\(seen)\n", sourceLocation: sourceLocation)
  }

  private func lines(_ data: Data, before mark: String) -> [String] {
    var text = String(decoding: data, as: UTF8.self)
    guard !text.isEmpty else { return [] }
    if text.hasSuffix("\n") { text.removeLast() }
    names.learnDevices(in: root)
    return names.replace(in: text, root: root.path)
      .split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }
  }
}
