import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

extension Invocation {
  /// Writes the service that watches the database.
  func installService(polling: Duration?, onEvent: String?) throws -> ServiceReport {
    // A service of a database that is not a store would fail at each login.
    try open().close()
    let files = FileSystem()
    let service = WatchService(
      words: try serviceWords(polling, onEvent, files), database: try database().name,
      manager: Machine.serviceManager)
    guard let home = surroundings.variable("HOME")?.path, home.isAbsolute else {
      throw StoreError.usage(
        "HOME names no folder, so there is no place for a service",
        hint: "set it: export HOME=~\(Machine.userName)")
    }
    let configuration = surroundings.variable("XDG_CONFIG_HOME")?.path
    let path = service.path(
      home: home, configuration: configuration.flatMap { $0.isAbsolute ? $0 : nil })
    try files.makeDirectories(path.removingLastComponent(), mode: 0o755)
    try AtomicFile.write(
      Array(service.text.utf8), to: path, permissions: 0o644, fileSystem: files)
    return ServiceReport(service: service, path: path, database: try database())
  }

  private func serviceWords(
    _ polling: Duration?, _ onEvent: String?, _ files: FileSystem
  ) throws -> [String] {
    let folders = surroundings.variable("PATH")?.bytes
      .split(separator: UInt8(ascii: ":")).map { FilePath(bytes: Array($0)) }
    guard
      let program = Machine.ownProgram(
        calledAs: FilePath(bytes: OwnProcess.name), searchPath: folders ?? [], files: files)
    else {
      throw StoreError.usage(
        "the program openwo is not where it was called from",
        hint: "call it by its whole path: /usr/bin/openwo watch --install-service")
    }
    var words = [Word(program.bytes), Word("watch"), Word(try database().resolved.bytes)]
    if let polling { words += [Word("--poll"), Word("\(polling.components.seconds)")] }
    if let onEvent { words += [Word("--on-event"), Word(onEvent)] }
    let options = self.configuration()
    if let folder = options.stateFolder {
      let path = DatabaseArgument(path: folder, isImplied: false).resolved
      words += [Word("--state-dir"), Word(path.bytes)]
    }
    if let name = options.deviceName { words += [Word("--device-name"), Word(name)] }
    return try words.map { word in
      guard let text = String(validating: word.bytes, as: UTF8.self), text == word.printable else {
        throw StoreError.usage(
          "\(word.printable) cannot be written into a service file",
          hint: "run it by other means: openwo watch")
      }
      return text
    }
  }
}

/// The report of `watch --install-service`.
struct ServiceReport: Report {
  let service: WatchService
  let path: FilePath
  let database: DatabaseArgument

  var members: [JSONMember] {
    [
      JSONMember("file", .string(path.jsonText)),
      JSONMember("start", .string(service.start(path))),
      JSONMember("stop", .string(service.stop)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    ["wrote a service that watches \(database.name)"]
      + LabelledRows.lines([
        ("file", path.shellName), ("start", service.start(path)), ("stop", service.stop),
      ])
  }
}
