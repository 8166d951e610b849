import CPeers
import Foundation
import OpenWOSQLite

/// Two Syncthing daemons that know nobody but each other, and a database that goes from one to the other.
///
/// Defaults, but that a change is looked at after one second instead of ten.
final class SyncthingPeer {
  static let name = "Syncthing"

  private enum End: CaseIterable { case sender, receiver }

  private let folder: String
  private let port = peers_free_port()
  private let database: Connection
  private var daemons: [Daemon] = []
  private var day = 0

  /// Starts both and waits until the database has come over for the first time.
  init(in folder: String, sending database: String) throws {
    self.folder = folder
    try FileManager.default.copyItem(atPath: database, toPath: "\(folder)/edited.sqlite")
    self.database = try WrapperGroup.connect("\(folder)/edited.sqlite")
    do {
      guard port > 0 else { throw failure("found no free port") }
      let generated = try End.allCases.map { try generate($0) }
      for end in End.allCases { try configure(end, generated) }
      try edit()
      try put()
      for end in End.allCases { try start(end) }
      try wait(toReplace: nil)
      try settle()
      // That one was found by the scan at the start; the next goes the way of those that are measured.
      try edit()
      _ = try deliver()
    } catch {
      stop()
      throw error
    }
  }

  /// A changed database, from its rename on one side until it is on the other.
  var delivery: Case {
    Case(measuring: Self.name, prepare: { try self.edit() }, { try self.deliver() })
  }

  /// Ends the daemons, which would end with this process too.
  func stop() {
    for daemon in daemons { daemon.end() }
    daemons = []
    database.close()
  }

  // MARK: - One delivery

  /// What is renamed lies outside of the folder, so that the rename is the first that the service sees.
  private var staged: String { "\(folder)/staged.sqlite" }

  private func live(_ end: End) -> String { "\(folder)/\(end)/synced/live.sqlite" }

  private func edit() throws {
    day += 1
    try database.transaction { try WorkoutEdit.day(day, on: database) }
    try FileManager.default.copyItem(atPath: "\(folder)/edited.sqlite", toPath: staged)
  }

  private func put() throws {
    guard rename(staged, live(.sender)) == 0 else { throw failure("was not given a file") }
  }

  private func deliver() throws -> Sample {
    let old = Self.inode(live(.receiver))
    let sample = try Sample.of {
      try put()
      try wait(toReplace: old)
    }
    try settle()
    return sample
  }

  /// A file that has come is renamed into its place, so it has another inode.
  private func wait(toReplace old: UInt64?) throws {
    let limit = ContinuousClock.now + .seconds(60)
    while [nil, old].contains(Self.inode(live(.receiver))) {
      Thread.sleep(forTimeInterval: 0.001)
      guard daemons.allSatisfy(\.isRunning) else { throw failure("has ended") }
      guard ContinuousClock.now < limit else { throw failure("brought no file within 60 s") }
    }
  }

  /// What is left to do after a file has come shall not fall into the next case.
  private func settle() throws {
    guard FileManager.default.contentsEqual(atPath: live(.sender), andPath: live(.receiver)) else {
      throw failure("brought another content")
    }
    Thread.sleep(forTimeInterval: 1)
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private func failure(_ what: String) -> Child.Failure {
    Child.Failure(description: "Syncthing \(what); its logs are in the work folder")
  }

  // MARK: - The daemons

  private func home(_ end: End) -> String { "\(folder)/\(end)/home" }

  /// What Syncthing makes of an end: the edition of its settings, and the name that its key gives it.
  private typealias Generated = (edition: Substring, id: Substring)

  private func generate(_ end: End) throws -> Generated {
    for path in [home(end), "\(folder)/\(end)/synced"] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try Child("env", "STNODEFAULTFOLDER=1", "syncthing", "generate", "--home", home(end)).run()
    let text = try String(contentsOfFile: "\(home(end))/config.xml", encoding: .utf8)
    guard let edition = text.firstMatch(of: /<configuration version="(\d+)"/)?.1,
      let id = text.firstMatch(of: /<device id="([A-Z0-9-]+)"/)?.1
    else { throw failure("made settings without a name") }
    return (edition, id)
  }

  /// The sender listens and the receiver calls it, so one port is enough; nobody else is asked or told.
  ///
  /// What is not said of a folder is taken for zero, not for its default.
  private func configure(_ end: End, _ generated: [Generated]) throws {
    let (sender, receiver) = (generated[0].id, generated[1].id)
    let text = """
      <configuration version="\(generated[0].edition)">
        <folder id="bench" path="~/synced" rescanIntervalS="3600"
          fsWatcherEnabled="true" fsWatcherDelayS="1">
          <weakHashThresholdPct>25</weakHashThresholdPct>
          <device id="\(sender)"/>
          <device id="\(receiver)"/>
        </folder>
        <device id="\(sender)"><address>tcp://127.0.0.1:\(port)</address></device>
        <device id="\(receiver)"><address>dynamic</address></device>
        <gui enabled="false"/>
        <options>
          <listenAddress>tcp://127.0.0.1:\(end == .sender ? port : 0)</listenAddress>
          <globalAnnounceEnabled>false</globalAnnounceEnabled>
          <localAnnounceEnabled>false</localAnnounceEnabled>
          <relaysEnabled>false</relaysEnabled>
          <natEnabled>false</natEnabled>
          <stunKeepaliveStartS>0</stunKeepaliveStartS>
          <urAccepted>-1</urAccepted>
          <crashReportingEnabled>false</crashReportingEnabled>
          <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
          <startBrowser>false</startBrowser>
        </options>
      </configuration>
      """
    try Data(text.utf8).write(to: URL(filePath: "\(home(end))/config.xml"))
  }

  private func start(_ end: End) throws {
    // Monitored means: no second process that watches over the first and starts it again.
    daemons.append(
      try Daemon(
        "env", "HOME=\(folder)/\(end)", "STMONITORED=yes", "STNOUPGRADE=1", "syncthing", "serve",
        "--home", home(end), "--no-browser", "--no-restart", log: "\(folder)/\(end).log"))
  }
}
