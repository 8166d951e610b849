public import OpenWO
public import OpenWOHistory

extension StoreError {
  /// What to do next in a terminal, in words; ends in a command for a shell.
  public var hint: String {
    (advice ?? .lookCloser).text
  }

  /// Makes an error that says itself what to do next in a terminal; the hint ends in a command.
  public init(
    _ code: Code, _ message: String, hint: String, remedies: [Remedy] = [],
    lock: StoreLock? = nil, version: VersionID? = nil
  ) {
    self.init(
      code, message, advice: Advice(hint), remedies: remedies, lock: lock, version: version)
  }
}

extension Finding {
  /// What to do about it in a terminal; ends in a command if there is one.
  public var hint: String? { advice?.text }
}

extension StoreStatus.Obstacle {
  /// What to do next in a terminal; ends in a command.
  public var hint: String { (advice ?? .lookCloser).text }
}

extension Advice {
  /// What to do about an error that somebody else made, such as an app.
  fileprivate static var lookCloser: Advice { Advice("look closer", .examine) }
}
