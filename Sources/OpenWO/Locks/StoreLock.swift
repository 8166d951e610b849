package import OpenWOFiles
public import OpenWOHistory

/// A lock as its file describes it: who has the database, why, and until when.
///
/// The file is `locks/<device>.json`. Only that device writes it, and it exists only while the
/// device requests or holds the lock.
public struct StoreLock: Sendable, Hashable, Codable {
  /// Whether the holder has the database, or still waits for others on its machine.
  public enum State: String, Sendable, Codable {
    case asked, held
  }

  /// The format of the lock file; this is 1.
  public var format: Int
  /// A short random id for people, such as `7f3a19c2`.
  public var id: String
  /// The id of the device that holds it.
  public var device: String
  /// What people call that device.
  public var deviceName: String
  /// The user's name on that device.
  public var user: String
  /// The machine's host name.
  public var host: String
  /// The process that the lock ends with; nil for a person's lock, which outlives its command.
  package var process: ProcessIdentity?
  /// The program that took it.
  public var program: String
  /// The reason, in the holder's words.
  public var note: String?
  /// When it was requested.
  public var since: Timestamp
  /// When it ends by itself, or its latest end while it is only requested; nil: never.
  public var until: Timestamp?
  /// The version that the edit starts from.
  public var head: VersionID?
  /// Whether it is held, or only requested.
  public var state: State
  /// The holder's place of the store; nil from an older openwo.
  package var place: LockPlace?

  static let currentFormat = 1

  /// Makes a lock that is only asked for, without a process: it outlives its command.
  package init(
    id: String, device: String, deviceName: String, user: String, host: String, program: String,
    since: Timestamp, until: Timestamp?
  ) {
    self.init(
      format: Self.currentFormat, id: id, device: device, deviceName: deviceName, user: user,
      host: host, process: nil, program: program, note: nil, since: since, until: until, head: nil,
      state: .asked)
  }

  init(
    format: Int, id: String, device: String, deviceName: String, user: String, host: String,
    process: ProcessIdentity?, program: String, note: String?, since: Timestamp, until: Timestamp?,
    head: VersionID?, state: State
  ) {
    (self.format, self.id, self.device, self.deviceName) = (format, id, device, deviceName)
    (self.user, self.host, self.process, self.program) = (user, host, process, program)
    (self.note, self.since, self.until, self.head) = (note, since, until, head)
    self.state = state
  }

  /// Orders two locks at once: the older holds, ties go to the lower device id.
  func precedes(_ other: StoreLock) -> Bool {
    (since, device) < (other.since, other.device)
  }

  /// Whether it ends when a program of its device ends, and not when a person ends it.
  public var endsWithProcess: Bool { process != nil }

  /// Whether its time has run out at a moment.
  func hasEnded(at now: Timestamp) -> Bool {
    until.map { $0 <= now } ?? false
  }
}

/// Reading a lock, which may come from anybody.
extension StoreLock {
  /// A lock as a later openwo writes it.
  struct NewerFormat: Error {}

  /// Reads a lock.
  ///
  /// Its id and device must consist of letters, digits, `-` and `_`, since hints put them into
  /// commands.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let format = try fields.decode(Int.self, forKey: .format)
    guard format <= Self.currentFormat else { throw NewerFormat() }
    self.init(
      format: format,
      id: try Self.word(.id, in: fields), device: try Self.word(.device, in: fields),
      deviceName: try fields.decode(String.self, forKey: .deviceName),
      user: try fields.decode(String.self, forKey: .user),
      host: try fields.decode(String.self, forKey: .host),
      process: try fields.decodeIfPresent(ProcessIdentity.self, forKey: .process),
      program: try fields.decode(String.self, forKey: .program),
      note: try fields.decodeIfPresent(String.self, forKey: .note),
      since: try fields.decode(Timestamp.self, forKey: .since),
      until: try fields.decodeIfPresent(Timestamp.self, forKey: .until),
      head: try fields.decodeIfPresent(VersionID.self, forKey: .head),
      state: try fields.decode(State.self, forKey: .state))
    // It only says whether the holder may reach this file: one that is unreadable says as little as none.
    place = try? fields.decodeIfPresent(LockPlace.self, forKey: .place)
  }

  private static func word(
    _ key: CodingKeys, in fields: KeyedDecodingContainer<CodingKeys>
  ) throws -> String {
    let text = try fields.decode(String.self, forKey: key)
    guard DeviceIdentity.isID(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: fields, debugDescription: "no word of letters, digits, - and _")
    }
    return text
  }
}
