public import ArgumentParser
import Foundation
public import OpenWOApp

extension Language: ExpressibleByArgument {}

/// The language that an app speaks.
public struct LanguageOption: ParsableArguments {
  @Option(help: "The language: en or ja; else that of $LC_ALL, $LC_MESSAGES or $LANG.")
  private var lang: Language?

  /// The requested language, else the environment's.
  public var language: Language {
    lang ?? Language(environment: ProcessInfo.processInfo.environment)
  }

  /// Without an option on the command line.
  public init() {}
}

/// The folder that an app syncs through.
public struct FolderOption: ParsableArguments {
  @Option(help: "The folder that a service syncs; else $OPENWO_SYNC_DIR.")
  private var folder: String?

  /// The places of the app's data.
  public var places: AppPlaces {
    var places = AppPlaces(syncFolder: folder)
    // A command has no first screen that waits for a slow folder.
    places.probeLimit = .seconds(2)
    return places
  }

  /// Without an option on the command line.
  public init() {}
}
