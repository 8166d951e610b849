import OpenWOFiles
import SystemPackage

/// Looks whether a synced folder can be used.
public protocol FolderProbing: Sendable {
  /// Looks at the folder; may take long, is never called on the caller's thread.
  func look(at folder: String) -> FolderFinding
}

/// What a look at a synced folder found.
public struct FolderFinding: Sendable, Hashable {
  /// Whether it can be used.
  public var availability: StoreStatus.Availability
  /// What is wrong with it.
  public var problem: SyncErrorKind?

  /// Makes a finding of its parts.
  public init(_ availability: StoreStatus.Availability, _ problem: SyncErrorKind? = nil) {
    self.availability = availability
    self.problem = problem
  }

  /// Nothing was found out.
  static let unknown = FolderFinding(.unknown, .serviceUnavailable)
}

/// Looks at the folder itself: is it there, may we write, has it room.
public struct FolderProbe: FolderProbing {
  /// Less room than this is none: a database, its journal and a version need more.
  private static let leastRoom: Int64 = 256 * 1024

  /// There is nothing to choose.
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
