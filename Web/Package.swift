// swift-tools-version: 6.2
import PackageDescription

// The page of a store, served to a browser of this machine. A package of its own, so that the server never enters the
// product's graph; see docs/PAGE.md.

// The folder of the package above names it in the graph, whatever a clone is called.
let product = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? ""

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "openwo-web",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "openwo-web", targets: ["OpenWOWebCommand"])],
  dependencies: [
    .package(path: ".."),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "OpenWOWeb",
      dependencies: [
        .product(name: "OpenWO", package: product), .product(name: "OpenWOApp", package: product),
        .product(name: "OpenWOShell", package: product),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [.embedInCode("Assets")], swiftSettings: strict),
    .executableTarget(
      name: "OpenWOWebCommand", dependencies: ["OpenWOWeb"], path: "Sources/openwo-web",
      swiftSettings: strict),
    .testTarget(
      name: "OpenWOWebTests",
      dependencies: [
        "OpenWOWeb", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "OpenWOApp", package: product),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
