import OpenWOFiles
import SystemPackage

/// Checks whether a synced folder can be used.
public protocol FolderProbing: Sendable {
  /// Looks at the folder; may take long, is never called on the caller's thread.
  func look(at folder: String) -> FolderFinding
}

/// The result of checking a synced folder.
public struct FolderFinding: Sendable, Hashable {
  /// Whether it can be used.
  public var availability: StoreStatus.Availability
  /// The problem with it; nil if there is none.
  public var problem: SyncErrorKind?

  /// Makes a finding from its parts.
  public init(_ availability: StoreStatus.Availability, _ problem: SyncErrorKind? = nil) {
    self.availability = availability
    self.problem = problem
  }

  /// Nothing was found out.
  static let unknown = FolderFinding(.unknown, .serviceUnavailable)
}

/// Checks the folder itself: whether it is there, can be written and has room.
public struct FolderProbe: FolderProbing {
  /// Less room than this is none: a database, its journal and a version need more.
  private static let leastRoom: Int64 = 256 * 1024

  /// Makes the probe.
  public init() {}

  /// Looks at the folder and changes nothing.
  public func look(at folder: String) -> FolderFinding {
    let files = FileSystem()
    let path = FilePath(folder)
    do throws(FileError) {
      guard try files.stat(path).kind == .directory else { return FolderFinding(.noAccount) }
      try files.checkUsable(folder: path)
      let hasRoom = try files.freeSpace(path) >= Self.leastRoom
      return FolderFinding(.available, hasRoom ? nil : .quotaExceeded)
    } catch  where error.isMissing {
      return FolderFinding(.noAccount)
    } catch  where error.isNotPermitted {
      return FolderFinding(.restricted)
    } catch {
      return .unknown
    }
  }
}
