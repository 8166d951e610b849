// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

// `Tests/tools` builds the programs beside the tests too; a user's `swift build` goes without.
let buildsTools = Context.environment["OPENWO_BUILDS_TOOLS"] != nil

let package = Package(
  name: "openwo",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "OpenWO", targets: ["OpenWO"]),
    .library(name: "OpenWOApp", targets: ["OpenWOApp"]),
    .library(name: "OpenWOShell", targets: ["OpenWOShell"]),
    .library(name: "OpenWOTesting", targets: ["OpenWOTesting"]),
    .executable(name: "openwo", targets: ["OpenWOCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .target(
      name: "OpenWOCSQLite", cSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "OpenWOSQLite", dependencies: ["OpenWOCSQLite", system], swiftSettings: strict),
    .target(name: "OpenWOCFiles", cSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "OpenWOFiles", dependencies: ["OpenWOCFiles", system], swiftSettings: strict),
    .systemLibrary(name: "OpenWOCZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "OpenWOCCrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "OpenWOHistory",
      dependencies: [
        .target(name: "OpenWOCCrypto", condition: .when(platforms: [.linux])), "OpenWOCZlib",
        "OpenWOFiles", system,
      ],
      swiftSettings: strict,
      // The archive, not the shared library, which takes milliseconds to load.
      linkerSettings: [.linkedLibrary(":libcrypto.a", .when(platforms: [.linux]))]),
    .target(name: "OpenWOMerge", dependencies: ["OpenWOSQLite"], swiftSettings: strict),
    .target(
      name: "OpenWO",
      dependencies: ["OpenWOSQLite", "OpenWOFiles", "OpenWOHistory", "OpenWOMerge", system],
      swiftSettings: strict),
    .target(
      name: "OpenWOApp", dependencies: ["OpenWO", "OpenWOFiles", "OpenWOHistory", system],
      swiftSettings: strict),
    .target(
      name: "OpenWOShell", dependencies: ["OpenWO", "OpenWOFiles", "OpenWOHistory", system],
      swiftSettings: strict),
    .target(
      name: "OpenWOTesting", dependencies: ["OpenWOApp", "OpenWOFiles", system],
      swiftSettings: strict),
    .executableTarget(
      name: "OpenWOCommand",
      dependencies: [
        "OpenWO", "OpenWOApp", "OpenWOFiles", "OpenWOHistory", "OpenWOSQLite", "OpenWOShell",
        system, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .plugin(
      name: "GenerateDocumentation", capability: .command(intent: .documentationGeneration())),
    .target(
      name: "ExampleShared",
      dependencies: [
        "OpenWOApp", system, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/shared", swiftSettings: strict),
    .executableTarget(
      name: "workouts",
      dependencies: [
        "ExampleShared", "OpenWOApp", "OpenWOShell", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/workouts", exclude: ["README.md"], resources: [.embedInCode("Seeds")],
      swiftSettings: strict),
    .executableTarget(
      name: "trainlog",
      dependencies: [
        "ExampleShared", "OpenWOApp", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/trainlog", exclude: ["export.sql", "README.md"], swiftSettings: strict),
    .executableTarget(
      name: "buffstuff",
      dependencies: [
        "ExampleShared", "OpenWOApp",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/buffstuff", exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "dailydo",
      dependencies: [
        "ExampleShared", "OpenWOApp",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/dailydo", exclude: ["README.md"], swiftSettings: strict),
    .testTarget(
      name: "OpenWOSQLiteTests",
      dependencies: ["Corpora", "OpenWOSQLite", "OpenWOTestSupport", system],
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOFilesTests", dependencies: ["OpenWOFiles", "OpenWOTestSupport", system],
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOHistoryTests",
      dependencies: ["OpenWOHistory", "OpenWOFiles", "OpenWOTestSupport", system],
      swiftSettings: strict),
    .target(
      name: "OpenWOCSession", path: "Tests/SessionChangeset",
      cSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "OpenWOMergeTests",
      dependencies: [
        "OpenWOMerge", "OpenWOSQLite", "OpenWOCSession", "OpenWOTestSupport", system,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOTests",
      dependencies: [
        "Corpora", "OpenWO", "OpenWOSQLite", "OpenWOFiles", "OpenWOHistory", "OpenWOShell",
        "OpenWOTestSupport", system,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOAppTests",
      dependencies: [
        "Corpora", "Household", "OpenWOApp", "OpenWO", "OpenWOFiles", "OpenWOSQLite",
        "OpenWOTestSupport", "OpenWOTesting", system,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SnippetTests", dependencies: ["OpenWOApp", "OpenWOShell", "OpenWOTesting"],
      exclude: ["Todo-Package.swift"], swiftSettings: strict),
    .testTarget(
      name: "OpenWOSimulatorTests", dependencies: ["OpenWOSimulator", "OpenWOMergeSimulator"],
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOCommandTests",
      dependencies: [
        "OpenWOCommand", system, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BuffstuffTests",
      dependencies: [
        "buffstuff", "ExampleShared", "Household", "OpenWOApp", "OpenWOFiles", system,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DailydoTests",
      dependencies: [
        "dailydo", "ExampleShared", "Household", "OpenWOApp", "OpenWOTesting", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TrainlogTests",
      dependencies: [
        "trainlog", "ExampleShared", "Household", "OpenWOApp", "OpenWOFiles", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WorkoutsTests",
      dependencies: [
        "workouts", "OpenWO", "OpenWOApp", "OpenWOCommand", "ExampleShared", "Household", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

/// A folder of code that tests share: a test target, so that `swift build` goes without; a library for the programs.
func shared(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  buildsTools
    ? .target(
      name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
    : .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A program that looks for what a single test does not show.
func tool(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil,
  exclude: [String] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/\(path ?? name)", exclude: exclude,
    swiftSettings: strict)
}

let parts: [Target.Dependency] = ["OpenWO", "OpenWOFiles", "OpenWOHistory", system]
package.targets += [
  shared("OpenWOTestSupport", ["OpenWOFiles", system]),
  shared("Corpora", parts + ["OpenWOCSQLite", "OpenWOTestSupport"]),
  shared("Household", ["OpenWOApp", "OpenWOFiles", "OpenWOTesting"]),
  shared("OpenWOSimulator", parts + ["OpenWOTestSupport"]),
  shared(
    "OpenWOMergeSimulator",
    ["Corpora", "OpenWO", "OpenWOHistory", "OpenWOMerge", "OpenWOSQLite", "OpenWOTestSupport"]),
]
if buildsTools {
  package.targets += [
    shared("OpenWOCrash", parts + ["Corpora", "OpenWOApp", "OpenWOSQLite", "OpenWOTestSupport"]),
    shared("OpenWOFileSimulator", parts + ["Corpora", "OpenWOSQLite", "OpenWOTestSupport"]),
    tool("ServicesWriter", parts, path: "Services/Writer"),
    tool("observing-app", ["OpenWO", system], path: "ObservingApp"),
    tool("openwo-simulate", ["OpenWOSimulator"]),
    tool("openwo-mergesim", ["OpenWOMergeSimulator"]),
    tool("openwo-crash", parts + ["OpenWOCrash"], exclude: ["README.md"]),
    tool("openwo-filesim", ["OpenWOFileSimulator"], exclude: ["README.md"]),
  ]
}
