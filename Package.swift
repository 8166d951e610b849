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

let package = Package(
  name: "openwo",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "OpenWO", targets: ["OpenWO"]),
    .library(name: "OpenWOApp", targets: ["OpenWOApp"]),
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
    .executableTarget(
      name: "OpenWOCommand",
      dependencies: [
        "OpenWO", "OpenWOApp", "OpenWOFiles", "OpenWOHistory", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "workouts",
      dependencies: [
        "OpenWOApp", system, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/workouts", resources: [.embedInCode("Seeds")], swiftSettings: strict),
    .target(
      name: "OpenWOSimulator", dependencies: ["OpenWO", "OpenWOFiles", "OpenWOHistory", system],
      path: "Tests/OpenWOSimulator", swiftSettings: strict),
    .executableTarget(
      name: "openwo-simulate", dependencies: ["OpenWOSimulator"], path: "Tests/openwo-simulate",
      swiftSettings: strict),
    .executableTarget(
      name: "trainlog",
      dependencies: [
        "OpenWOApp", system, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/trainlog", exclude: ["export.sql"], swiftSettings: strict),
    .executableTarget(
      name: "buffstuff",
      dependencies: [
        "OpenWOApp", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/buffstuff", swiftSettings: strict),
    .executableTarget(
      name: "dailydo",
      dependencies: [
        "OpenWOApp", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "examples/dailydo", swiftSettings: strict),
    .target(
      name: "Corpora",
      dependencies: ["OpenWO", "OpenWOCSQLite", "OpenWOFiles", "OpenWOHistory", system],
      path: "Tests/Corpora", swiftSettings: strict),
    .testTarget(
      name: "OpenWOSQLiteTests", dependencies: ["Corpora", "OpenWOSQLite", system],
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOFilesTests", dependencies: ["OpenWOFiles", system], swiftSettings: strict),
    .testTarget(
      name: "OpenWOHistoryTests", dependencies: ["OpenWOHistory", "OpenWOFiles", system],
      swiftSettings: strict),
    .target(
      name: "OpenWOCSession", path: "Tests/SessionChangeset",
      cSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "OpenWOMergeTests",
      dependencies: ["OpenWOMerge", "OpenWOSQLite", "OpenWOCSession", system],
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOTests",
      dependencies: [
        "Corpora", "OpenWO", "OpenWOSQLite", "OpenWOFiles", "OpenWOHistory", system,
      ],
      swiftSettings: strict),
    .target(
      name: "Household", dependencies: ["OpenWOApp", "OpenWOFiles", system],
      path: "Tests/Household", swiftSettings: strict),
    .testTarget(
      name: "OpenWOAppTests",
      dependencies: [
        "Corpora", "Household", "OpenWOApp", "OpenWO", "OpenWOFiles", "OpenWOSQLite", system,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "ServicesWriter", dependencies: ["OpenWO", "OpenWOFiles", "OpenWOHistory", system],
      path: "Tests/Services/Writer", swiftSettings: strict),
    .target(
      name: "OpenWOCrash",
      dependencies: [
        "Corpora", "OpenWO", "OpenWOApp", "OpenWOFiles", "OpenWOHistory", "OpenWOSQLite", system,
      ],
      path: "Tests/OpenWOCrash", swiftSettings: strict),
    .executableTarget(
      name: "openwo-crash",
      dependencies: ["OpenWOCrash", "OpenWO", "OpenWOFiles", "OpenWOHistory", system],
      path: "Tests/openwo-crash", exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "OpenWOFileSimulator",
      dependencies: ["Corpora", "OpenWO", "OpenWOFiles", "OpenWOHistory", "OpenWOSQLite", system],
      path: "Tests/OpenWOFileSimulator", swiftSettings: strict),
    .executableTarget(
      name: "openwo-filesim", dependencies: ["OpenWOFileSimulator"], path: "Tests/openwo-filesim",
      exclude: ["README.md"], swiftSettings: strict),
    .testTarget(
      name: "OpenWOSimulatorTests", dependencies: ["OpenWOSimulator"], swiftSettings: strict),
    .testTarget(
      name: "OpenWOCommandTests",
      dependencies: [
        "OpenWOCommand", system, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BuffstuffTests",
      dependencies: ["buffstuff", "Household", "OpenWOApp", "OpenWOFiles", system],
      swiftSettings: strict),
    .testTarget(
      name: "DailydoTests",
      dependencies: [
        "dailydo", "Household", "OpenWOApp", "OpenWOFiles", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TrainlogTests",
      dependencies: [
        "trainlog", "Household", "OpenWOApp", "OpenWOFiles", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WorkoutsTests",
      dependencies: ["workouts", "OpenWO", "OpenWOApp", "OpenWOCommand", "Household", system],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
