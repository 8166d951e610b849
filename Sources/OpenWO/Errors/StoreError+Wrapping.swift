import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The layers below, in the words of a store.
extension StoreError {
  /// Runs a body and turns what the layers below throw into a store's errors; an app's own errors pass.
  static func wrapping<Result>(_ paths: StorePaths, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw of(error, paths)
    }
  }

  /// A layer's error as a store's error; an app's own error as it is.
  static func of(_ error: any Error, _ paths: StorePaths) -> any Error {
    switch error {
    case let error as SQLiteError: error.isAboutStatement ? error : StoreError(error, paths)
    case let error as FileError: StoreError(error, paths)
    case let error as HistoryError: StoreError(error, paths)
    case let error as MigrationError: StoreError(error, paths)
    case is StaleLook: StoreError.stillArriving(paths)
    default: error
    }
  }

  init(_ error: FileError, _ paths: StorePaths) {
    // A file that could not be made tells nothing; its folder does.
    let owned = error.path.map { path in
      let isThere = (try? FileSystem().statusIfPresent(path)) ?? nil != nil
      return paths.called(isThere ? path : path.removingLastComponent())
    }
    let found = error.path
    let error = error.renamed(paths.called)
    if error.isNoSpace {
      self.init(
        .noSpace, "no space is left: \(error.message); what was saved before is safe",
        advice: paths.next("make room, then try again", .sync))
    } else if error.operation == .mkdir, error.path?.starts(with: paths.stateRoot) == true {
      self.init(
        .unavailable,
        "\(error.message), where openwo keeps its own memory on this device; nothing was changed",
        advice: Advice("name another place for it", .nameStateFolder), remedies: [.allowAccess])
    } else if error.isNotPermitted {
      self.init(
        .notPermitted, "\(error.message); nothing was changed",
        advice: paths.next("see who owns it", .owner(owned ?? paths.typed)))
    } else if error.isLinkedFolder {
      self.init(
        .unavailable, "\(error.message); nothing was changed",
        advice: paths.wayOut(ofLink: found ?? paths.companion), remedies: [.checkFolder])
    } else if error.isMissing {
      self.init(
        .unavailable, "\(error.message); nothing was changed",
        advice: error.operation == .realpath
          ? paths.next("is the folder away? bring it back, then", .sync)
          : paths.next("is the folder there?", .lookAgain), remedies: [.checkFolder, .tryAgain])
    } else {
      self.init(
        .io, "\(error.message); what was saved before is safe",
        advice: paths.next("look closer", .examine))
    }
  }

  init(_ error: SQLiteError, _ paths: StorePaths) {
    switch error.extendedCode {
    case .moved:
      self = .replaced(paths)
    case .busy, .locked:
      self = .busy(paths)
    case .corrupt:
      self = .damaged(error.message, paths)
    case .notADatabase:
      self.init(
        .notADatabase, "\(paths.name) is not a SQLite database; it was left as it is",
        advice: paths.next("see what it is", .identify(paths.typed)))
    case .interruptedWrite:
      self = .interrupted(paths)
    case .full:
      self.init(
        .noSpace, "no space is left for \(paths.name); the write was rolled back",
        advice: paths.next("make room, then try again", .lookAgain))
    case .readOnly, .permission:
      self.init(
        .notPermitted, "\(paths.name) may not be written: \(error.message)",
        advice: paths.next("see who owns it", .owner(paths.typed)))
    case .cannotOpen:
      self.init(
        .unavailable, "cannot open \(paths.name): \(error.message)",
        advice: paths.next("look closer", .examine))
    default:
      self.init(
        .io, "\(paths.name): \(error.description)",
        advice: paths.next("look closer", .examine))
    }
  }

  init(_ error: MigrationError, _ paths: StorePaths) {
    switch error {
    case .newer:
      self.init(
        .newerSchema, "\(paths.name): \(error); nothing was changed",
        advice: paths.next("update the app, or see what changed", .chooseVersion))
    case .brokenForeignKeys:
      self.init(
        .brokenReferences, "\(paths.name): \(error); the step was rolled back",
        advice: paths.next("see what the database holds", .examine))
    }
  }

  init(_ error: HistoryError, _ paths: StorePaths) {
    switch error {
    case .newerFormat:
      self.init(
        .newerFormat, "a version of \(paths.name) is too new: \(error)",
        advice: paths.next("update openwo, then try again", .update))
    default:
      self.init(
        .notRestorable, "\(error)",
        advice: paths.next("it may still be on its way; try again later", .sync))
    }
  }

  static func damaged(_ why: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .damaged, "\(paths.name) is damaged (\(why)); the versions before are safe",
      advice: paths.next("put the newest whole version back", .sync))
  }
}

extension SQLiteError {
  /// Whether it is about what an app asked for, such as a broken constraint, and not about the file.
  fileprivate var isAboutStatement: Bool {
    switch code {
    case .error, .abort, .authorization, .interrupt, .tooBig, .constraint, .mismatch, .misuse,
      .range:
      true
    default: false
    }
  }
}
