package import OpenWOApp

/// A network that is there or not, as a test decides.
package struct FixedNetwork: NetworkProbing {
  private let network: StoreStatus.Network

  package init(_ network: StoreStatus.Network) {
    self.network = network
  }

  package func look() -> StoreStatus.Network { network }
}
