// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "todo",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../openwo")],
  targets: [
    .executableTarget(
      name: "todo", dependencies: [.product(name: "OpenWOApp", package: "openwo")]),
    .testTarget(
      name: "todoTests",
      dependencies: ["todo", .product(name: "OpenWOTesting", package: "openwo")]),
  ]
)
