import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// A whole run: devices, service, clock, and all that exists in them.
final class World {
  let scenario: Scenario
  let fault: Fault?
  let policy: Policy
  /// Milliseconds since 1970, the same for everybody; devices' clocks are off by their skew.
  var time: Int64 = 1_790_000_000_000
  var devices: [Device] = []
  var service: any Service
  var pool = ContentPool()
  var rowCount = 0
  /// Contents that the app or a program wrote, by their first appearance; not those of restores.
  var editRows = Rows()

  var versions: [Version] = []
  private var versionNumbers: [VersionID: Int] = [:]
  /// The content that a version's file is stored against; nil: the file is whole.
  var bases: [Int?] = []
  private(set) var contentNumbers: [Int] = []
  var locks: [StoreLock] = []
  var records: [Record] = []
  private(set) var paths: [Path] = []
  private(set) var pathNames: [FileName?] = []
  private var pathNumbers: [Path: Int] = [:]
  private(set) var versionPaths: [Int] = []
  private(set) var recordPaths: [Int] = []
  private(set) var lockPaths: [Int] = []
  private(set) var databasePaths: [Int] = []

  var violation: Violation?
  /// The story in words; nil: not recorded.
  var story: [String]?
  private(set) var events: [Event] = []
  private var counter = 0
  var identities = 0
  var copies = 0
  /// Some checks are impossible after this; see `Invariants`.
  var hasRestored = false
  /// A person put an old file over the live one.
  var hasPutBack = false
  var hasEditedOutside = false
  /// Some clock was wrong, or nobody can tell any more what was made from what.
  var isBlurred = false
  /// Some clock was set back.
  var hasSetBack = false
  /// Contents that openwo put into the live file again, or made one file: the file's time is not that of their making.
  var redated: Set<Int> = []
  /// The latest time of a file that was made one file: its time is moved, and what is written until then looks older than it is.
  var aheadUntil: Int64 = 0
  /// The contents that were captured from copies that may be a person's own, and those that were captured elsewhere.
  var copied: Set<Int> = []
  var written: Set<Int> = []
  /// State, files or whole disks were lost by hand.
  var hasLostFiles = false
  /// The path of each published version.
  var publishedPath: [Int: Int] = [:]
  /// Which device writes which record: one each.
  var writers: [Int: Int] = [:]
  /// The ids of locks that their holders have ended.
  var givenBack: Set<String> = []
  var settlements: [[VersionID]: VersionID] = [:]
  /// The checks that did apply here.
  var applied: Set<ConditionalCheck> = []
  /// The contents of files in WAL mode together with their logs.
  var loggedContents: [LoggedContent: Int] = [:]
  /// The merged contents of pairs of contents.
  var mergedContents: [[Int]: Int] = [:]

  /// A file in WAL mode and the rows beside it.
  struct LoggedContent: Sendable, Hashable {
    var value: Int
    var rows: Rows
  }

  /// The content of one device's own file.
  struct Record: Sendable, Hashable {
    var identity: Int
    var head: VersionID?
    var acknowledged: [String] = []
    var revoked: [String] = []

    /// Takes over the locks that its device says have ended.
    mutating func repeatWords(_ said: [String]) {
      revoked = revoked.filter { !said.contains($0) } + said
    }
  }

  init(_ scenario: Scenario, fault: Fault?) {
    self.scenario = scenario
    self.fault = fault
    var policy = Policy()
    policy.settling = scenario.merges ? .merge : .lastWriterWins
    self.policy = fault?.changed(policy) ?? policy
    service =
      scenario.service.kind == .peer
      ? PeerService(scenario.service, devices: scenario.devices)
      : HubService(scenario.service, devices: scenario.devices)
    start()
  }

  /// A number that nothing else has.
  func fresh() -> Int {
    counter += 1
    return counter
  }

  func now(_ device: Device) -> Int64 { time + device.skew }

  func tell(_ kind: Event.Kind, _ device: Device, _ first: Int, _ second: Int = 0) {
    events.append(Event(kind: kind, device: device.place, first: first, second: second))
  }

  /// Writes a line of the story, if somebody wants to read it.
  func explain(_ device: Device, _ text: @autoclosure () -> String) {
    guard story != nil else { return }
    story?.append("d\(device.place) @\((now(device) - 1_790_000_000_000)) \(text())")
  }

  func violate(_ rule: Violation.Rule, _ text: @autoclosure () -> String) {
    guard violation == nil else { return }
    violation = Violation(rule: rule, text: text())
  }
}

/// Paths and versions have numbers, in the order of their appearance.
extension World {
  static let live = 0

  func path(_ path: Path) -> Int {
    if let number = pathNumbers[path] { return number }
    let number = paths.count
    pathNumbers[path] = number
    paths.append(path)
    pathNames.append(name(of: path))
    switch path {
    case .version, .full: versionPaths.append(number)
    case .record: recordPaths.append(number)
    case .lock: lockPaths.append(number)
    case .live, .copy, .staging: databasePaths.append(number)
    }
    return number
  }

  func pathNumber(_ path: Path) -> Int? { pathNumbers[path] }

  private func name(of path: Path) -> FileName? {
    switch path {
    case .copy(let number):
      FilePath.Component("openwo.sync-conflict-\(number).sqlite").map(FileName.init)
    case .staging(let number): FilePath.Component(".~openwo-\(number).tmp").map(FileName.init)
    default: nil
    }
  }

  /// The path of a copy or staging file by its name.
  func path(named name: FileName) -> Int? {
    databasePaths.first { pathNames[$0] == name }
  }

  /// Enters a version; the same one made twice has one number.
  func number(_ version: Version, base: Int?) -> Int {
    if let number = versionNumbers[version.id] { return number }
    let number = versions.count
    versionNumbers[version.id] = number
    versions.append(version)
    bases.append(base)
    contentNumbers.append(pool.number(version.content) ?? 0)
    return number
  }

  func number(_ id: VersionID) -> Int? { versionNumbers[id] }

  func content(_ version: Version) -> Int { pool.number(version.content) ?? 0 }
}

/// The file system, without any judgement: what services, programs and openwo all use.
extension World {
  /// Puts a file under a name, or takes the name away.
  func put(_ file: File?, at path: Int, on device: Device) {
    if (device.folder[path] == nil) != (file == nil) { device.folder.changed = now(device) }
    device.folder[path] = file
    if let file, paths[path].isCompanion ? !file.isPiece : pool[file.value].isWhole {
      device.lastFiles[path] = file
    }
    if paths[path].isVersion { device.isGraphStale = true }
  }

  /// A file as somebody on the device writes it now.
  func newFile(_ value: Int, on device: Device, modified: Int64? = nil, inode: Int? = nil) -> File {
    File(
      value: value, modified: modified ?? now(device), changed: now(device),
      inode: inode ?? fresh(), stamp: fresh())
  }

  /// Writes into the file that has the name, keeping the file.
  func overwrite(_ value: Int, at path: Int, on device: Device, modified: Int64? = nil) {
    let inode = device.folder[path]?.inode
    put(newFile(value, on: device, modified: modified, inode: inode), at: path, on: device)
  }

  /// Renames a file over whatever has the other name.
  func rename(_ path: Int, to other: Int, on device: Device) {
    guard var file = device.folder[path] else { return }
    file.changed = now(device)
    put(nil, at: path, on: device)
    put(file, at: other, on: device)
  }

  /// The path of the file with an inode, whatever its name is now.
  func path(ofInode inode: Int, on device: Device) -> Int? {
    databasePaths.first { device.folder[$0]?.inode == inode }
  }
}

extension Path {
  var isVersion: Bool {
    switch self {
    case .version, .full: true
    default: false
    }
  }
}
