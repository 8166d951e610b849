import OpenWO
import OpenWOFiles
import OpenWOHistory

/// The forms that values have in the command's JSON; what is missing is null.
extension JSONValue {
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  static func id(_ id: VersionID?) -> JSONValue { .text(id?.description) }
  static func time(_ time: Timestamp?) -> JSONValue { .text(time?.description) }
  static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }

  static func texts(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }
}

extension JSONValue {
  static func quarantined(_ file: QuarantinedFile) -> JSONValue {
    .object([
      JSONMember("id", .string(file.id)), JSONMember("at", .time(file.at)),
      JSONMember("bytes", .integer(file.bytes)), JSONMember("why", .string(file.why)),
      JSONMember("looksEncrypted", .bool(file.looksEncrypted)),
    ])
  }

  static func device(_ device: DeviceSummary) -> JSONValue {
    .object([
      JSONMember("id", .string(device.id)), JSONMember("name", .string(device.name)),
      JSONMember("head", .id(device.head)), JSONMember("headSince", .time(device.headSince)),
      JSONMember("lastSeen", .time(device.lastSeen)),
      JSONMember("thisDevice", .bool(device.isThisDevice)),
    ])
  }

  static func devices(_ devices: [DeviceSummary]) -> JSONValue { .array(devices.map(device)) }

  /// A lock, and which devices have answered it if that is known.
  static func lock(_ lock: StoreLock, _ report: LockReport? = nil) -> JSONValue {
    .object([
      JSONMember("id", .string(lock.id)), JSONMember("device", .string(lock.device)),
      JSONMember("deviceName", .string(lock.deviceName)), JSONMember("user", .string(lock.user)),
      JSONMember("host", .string(lock.host)), JSONMember("program", .string(lock.program)),
      JSONMember("note", .text(lock.note)), JSONMember("since", .time(lock.since)),
      JSONMember("until", .time(lock.until)), JSONMember("state", .string(lock.state.rawValue)),
      JSONMember("acknowledgedBy", .devices(report?.acknowledgedBy ?? [])),
      JSONMember("waitingFor", .devices(report?.waitingFor ?? [])),
      JSONMember("newerOn", .devices(report?.newerOn ?? [])),
    ])
  }

  static func change(_ change: TableChange) -> JSONValue {
    .object([
      JSONMember("table", .string(change.table)), JSONMember("inserted", .count(change.inserted)),
      JSONMember("updated", .count(change.updated)), JSONMember("deleted", .count(change.deleted)),
      JSONMember("notCompared", .text(change.notCompared)),
    ])
  }
}
