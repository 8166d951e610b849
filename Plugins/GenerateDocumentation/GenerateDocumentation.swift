import Foundation
import PackagePlugin

/// `swift package generate-documentation`: the documentation of the libraries as one archive.
///
/// It needs nothing but the toolchain's `docc`. A warning, such as a link that leads nowhere, is an error.
@main
struct GenerateDocumentation: CommandPlugin {
  /// The libraries; each may link to those before it.
  private static let modules = [
    "OpenWOSQLite", "OpenWOHistory", "OpenWO", "OpenWOShell", "OpenWOApp", "OpenWOTesting",
  ]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    let docc = try context.tool(named: "docc").url
    let folder = context.pluginWorkDirectoryURL
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var archives: [String] = []
    for module in Self.modules {
      let graph = try symbolGraph(of: module, context)
      let archive = folder.appending(path: "\(module).doccarchive").path
      try run(docc, conversion(of: module, graph, into: archive, archives, context))
      archives.append(archive)
    }
    let whole = folder.appending(path: "Documentation.doccarchive").path
    try? FileManager.default.removeItem(atPath: whole)
    try run(
      docc,
      ["merge"] + archives
        + ["--output-path", whole, "--synthesized-landing-page-name", "openwo"])
    print("the documentation is in \(whole); to read it: python3 -m http.server -d \(whole)")
  }

  private func symbolGraph(of module: String, _ context: PluginContext) throws -> String {
    guard let target = try context.package.targets(named: [module]).first else {
      throw Failure(description: "there is no target \(module)")
    }
    return try packageManager.getSymbolGraph(
      for: target,
      options: .init(
        minimumAccessLevel: .public, includeSynthesized: false, includeSPI: false)
    ).directoryURL.path
  }

  private func conversion(
    of module: String, _ graph: String, into archive: String, _ others: [String],
    _ context: PluginContext
  ) -> [String] {
    let sources = context.package.directoryURL.appending(path: "Sources/\(module)")
    let catalogue = sources.appending(path: "\(module).docc").path
    return ["convert"] + (FileManager.default.fileExists(atPath: catalogue) ? [catalogue] : [])
      + [
        "--additional-symbol-graph-dir", graph, "--output-dir", archive,
        "--fallback-display-name", module,
        "--fallback-bundle-identifier", "org.openwo.\(module)",
        "--enable-experimental-external-link-support", "--warnings-as-errors",
      ] + others.flatMap { ["--dependency", $0] }
  }

  /// Runs docc and waits for its end.
  ///
  /// By the system's own calls: `Process` of Foundation missed the end of a child on a busy Linux machine, and waited for ever.
  private func run(_ program: URL, _ arguments: [String]) throws {
    var words = ([program.path] + arguments).map { strdup($0) } + [nil]
    var variables =
      ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var child = pid_t()
    let problem = posix_spawn(&child, program.path, nil, nil, &words, &variables)
    guard problem == 0 else {
      throw Failure(
        description: "\(program.path) cannot be run: \(String(cString: strerror(problem)))")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw Failure(description: "docc \(arguments[0]) ended with the status \(status)")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}
