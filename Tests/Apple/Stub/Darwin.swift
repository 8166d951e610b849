// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap
// What the adapter uses of Apple's module `Darwin`, with Apple's signatures; no body runs.

public let O_EVTONLY: Int32 = 0x8000
public let O_DIRECTORY: Int32 = 0x100000
public let O_CLOEXEC: Int32 = 0x1000000

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func close(_ descriptor: Int32) -> Int32 { fatalError() }
