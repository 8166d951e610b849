/// A folder whose service needs no coordination: it moves files as any program does.
public struct PlainFolder: FolderService {
  /// Makes the service that coordinates nothing.
  public init() {}

  /// There is nothing to coordinate.
  public func session(for place: FolderPlace) -> (any FolderSession)? { nil }
}

extension FolderService where Self == PlainFolder {
  /// The service that suits the system.
  static var ofSystem: any FolderService {
    #if canImport(Darwin)
      ICloudFolder()
    #else
      PlainFolder()
    #endif
  }
}
