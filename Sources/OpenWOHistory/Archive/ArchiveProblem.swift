package import OpenWOFiles
package import SystemPackage

/// A file in the archive that is not used, and why.
package struct ArchiveProblem: Hashable, Sendable {
  /// The file.
  package let path: FilePath
  /// Why it is not used.
  package let reason: Reason

  /// Why a file is not used.
  package enum Reason: Hashable, Sendable {
    /// A file on its way, of openwo or of a service.
    case staging
    /// A copy of a version file with another name, made by a service or a person.
    case copy
    /// A name that means nothing here.
    case unknownName
    /// The file cannot be read, or is not a regular file.
    case unreadable(FileError)
    /// The file was read and is not what its name says.
    case invalid(HistoryError)
  }
}

extension ArchiveProblem.Reason {
  /// The problem for a failed read; nil if the file is gone, which is not a problem.
  init?(_ error: any Error) {
    switch error {
    case let error as FileError where error.isMissing: return nil
    case let error as FileError: self = .unreadable(error)
    case let error as HistoryError: self = .invalid(error)
    default: self = .invalid(.damaged("\(error)"))
    }
  }

  /// Tells unused names apart.
  init(unusedName text: String) {
    if text.hasPrefix(".") || text.hasPrefix("~") || text.hasSuffix(".tmp") || text.hasSuffix("~") {
      self = .staging
    } else {
      self =
        text.utf8.count > 20 && HybridTime(compact: text.prefix(24)) != nil ? .copy : .unknownName
    }
  }
}

extension ArchiveProblem: CustomStringConvertible {
  /// One lower-case sentence without a full stop.
  package var description: String {
    let name = path.lastComponent?.printable ?? ""
    switch reason {
    case .staging: return "\(name) is a file on its way"
    case .copy: return "\(name) is a renamed copy of a version file"
    case .unknownName: return "\(name) is not a version file"
    case .unreadable(let error): return "\(name) is not used: \(error.message)"
    case .invalid(let error): return "\(name) is not used: \(error)"
    }
  }
}
