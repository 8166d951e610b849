public import OpenWOHistory

extension Version {
  /// When it was made, without the counter.
  public var madeAt: Timestamp { Timestamp(milliseconds: at.milliseconds) }
}
