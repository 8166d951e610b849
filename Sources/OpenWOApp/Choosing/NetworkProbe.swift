import OpenWOFiles

/// Checks whether the device has a network.
public protocol NetworkProbing: Sendable {
  /// Looks; answers at once.
  func look() -> StoreStatus.Network
}

/// Reads the routing table; `$OPENWO_NETWORK` (`online`, `offline`) overrides it.
public struct NetworkProbe: NetworkProbing {
  /// Makes the probe.
  public init() {}

  /// Reads the routing table; sends nothing.
  public func look() -> StoreStatus.Network {
    if let said = Variables["OPENWO_NETWORK"].flatMap(StoreStatus.Network.init(rawValue:)) {
      return said
    }
    return Machine.hasDefaultRoute.map { $0 ? .online : .offline } ?? .unknown
  }
}
