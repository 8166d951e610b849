/// How one service is told to leave alone what must not travel: journals, and files that are still being written.
///
/// A journal that reaches another device lies beside another state of the database there; plain SQLite would play it back and damage the file.
/// openwo never plays one back without proof, but other programs do. So the journal is kept out of the sync wherever the service can be told.
///
/// Everything here is text: ``contents(addingTo:)`` says what a file of rules should hold, and the caller writes it.
public struct Exclusion: Sendable, Hashable {
  /// The service.
  public var service: SyncService
  /// The file that the service reads its rules from, relative to the root of the synced folder; nil where rules are kept elsewhere, or
  /// there are none.
  public var file: String?
  /// The lines that belong into that file, or that a person has to put where ``advice`` says.
  public var lines: [String]
  /// What a person has to know or do, in one sentence; empty when writing the file is all.
  public var advice: String
  /// Whether the service keeps the file of rules to one device, so that each needs its own.
  public var isPerDevice: Bool

  /// What must not travel, as most services spell it.
  public static let patterns = ["*-journal", "*-wal", "*-shm", ".~openwo-*.tmp"]

  init(
    _ service: SyncService, file: String? = nil, lines: [String] = Exclusion.patterns,
    _ advice: String = "", isPerDevice: Bool = false
  ) {
    self.service = service
    self.file = file
    self.lines = lines
    self.advice = advice
    self.isPerDevice = isPerDevice
  }
}

extension Exclusion {
  /// Says what the file of rules should hold.
  ///
  /// Everything that is there stays as it is, byte for byte. The lines go before it, because in most of these files the first rule that fits
  /// counts; but after a byte order mark and, for MEGA, at the end, where the last one counts.
  ///
  /// - Parameter old: What the file holds now; nil: there is none.
  /// - Returns: All that it should hold; nil when it says all already, or when the service has no such file.
  public func contents(addingTo old: String?) -> String? {
    guard file != nil else { return nil }
    let missing = missingLines(in: old ?? "")
    guard !missing.isEmpty else { return nil }
    var old = Substring(old ?? "")
    let newline = old.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    let added = missing.map { $0 + newline }.joined()
    if service == .mega {
      let isOpen = !old.isEmpty && old.utf8.last != UInt8(ascii: "\n")
      return old + (isOpen ? newline : "") + added
    }
    let mark = old.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
    if !mark.isEmpty { old.unicodeScalars.removeFirst() }
    return mark + added + old
  }

  /// The lines that a file of rules does not have yet; for `doctor`.
  public func missingLines(in contents: String) -> [String] {
    let present = contents.split(whereSeparator: \.isNewline).map(Self.trimmed)
    return lines.filter { !present.contains($0[...]) }
  }

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    while line.last?.isWhitespace == true { line.removeLast() }
    return line
  }
}
