// swift-tools-version: 6.2
import PackageDescription

// Measures openwo beside what people would use instead. A package of its own, so that GRDB and the like never
// enter the product's graph; see README.md.

// The folder of the package above names it in the graph, whatever a clone is called.
let product = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? ""

// Pieces that are not public are measured too. They are `package` in the product, and this is another package.
let part: SwiftSetting = .unsafeFlags(["-Xfrontend", "-disable-access-control"])

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .target(
      name: "CPeers", cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(name: "launch", cSettings: [.unsafeFlags(["-O2"])]),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CPeers", "launch", .product(name: "OpenWO", package: product),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: [part, .enableUpcomingFeature("ExistentialAny")]),
  ],
  swiftLanguageModes: [.v6]
)
