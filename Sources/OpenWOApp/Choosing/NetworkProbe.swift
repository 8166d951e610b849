import OpenWOFiles

/// Looks whether a network is in sight.
public protocol NetworkProbing: Sendable {
  /// Looks; answers at once.
  func look() -> StoreStatus.Network
}

/// Asks the routing table; `$OPENWO_NETWORK` (`online`, `offline`) has the last word.
public struct NetworkProbe: NetworkProbing {
  /// There is nothing to choose.
  public init() {}

  /// Looks at the routing table; sends nothing.
  public func look() -> StoreStatus.Network {
    if let said = Variables["OPENWO_NETWORK"].flatMap(StoreStatus.Network.init(rawValue:)) {
      return said
    }
    return Machine.hasDefaultRoute.map { $0 ? .online : .offline } ?? .unknown
  }
}
