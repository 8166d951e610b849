/// How to keep one service from syncing journals and files that are still being written.
///
/// A journal that reaches another device is beside another state of the database there. Plain
/// SQLite would replay it and damage the file. openwo never replays one without proof, but other
/// programs do. So the journal is excluded from syncing if the service allows that.
///
/// This type writes nothing: ``contents(addingTo:)`` returns what a file of rules should contain,
/// and the caller writes it.
public struct Exclusion: Sendable, Hashable {
  /// The service.
  public var service: SyncService
  /// The file of rules that the service reads, relative to the root of the synced folder; nil if
  /// rules are elsewhere, or there are none.
  public var file: String?
  /// The lines for that file, or for the place that ``advice`` names.
  public var lines: [String]
  /// What a person has to know or do, in one sentence; empty if writing the file is enough.
  public var advice: String
  /// Whether the service does not sync the file of rules, so that each device needs its own.
  public var isPerDevice: Bool

  /// The files that must not be synced, in the syntax of most services.
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
  /// Returns what the file of rules should contain.
  ///
  /// The existing content stays, byte for byte. The new lines go before it, because in most of
  /// these files the first matching rule counts. They go after a byte order mark and, for MEGA, at
  /// the end, where the last rule counts.
  ///
  /// - Parameter old: The file's current content; nil: there is no file.
  /// - Returns: The new content; nil if the file already has all rules, or the service has no such
  ///   file.
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

  /// The lines that a file of rules lacks, for `doctor`.
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
