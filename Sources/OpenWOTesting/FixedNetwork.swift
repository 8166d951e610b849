public import OpenWOApp

/// A network that is there or not, as a test says.
public struct FixedNetwork: NetworkProbing {
  private let network: StoreStatus.Network

  /// Makes a network in one state.
  public init(_ network: StoreStatus.Network) {
    self.network = network
  }

  /// What the test said.
  public func look() -> StoreStatus.Network { network }
}
