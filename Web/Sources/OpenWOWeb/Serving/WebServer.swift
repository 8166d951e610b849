import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The server: two listeners on the loopback addresses, until it is interrupted or nobody has asked for a while.
public struct WebServer: Sendable {
  private let options: WebOptions
  private let site: Site
  private let tell: @Sendable (String) -> Void

  /// Prepares a server; `tell` is handed the address once it listens.
  public init(_ options: WebOptions, tell: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.tell = tell
    site = Site(options)
  }

  /// Serves until the end.
  public func run() async throws {
    let logger = Self.quietLogger
    let (ports, got) = AsyncStream<Int>.makeStream()
    let first = application("127.0.0.1", options.port, logger) { channel in
      let port = channel.localAddress?.port ?? 0
      site.gate.port = port
      if let entrance = site.gate.entrance { tell(entrance) }
      got.yield(port)
      got.finish()
    }
    let second = SecondListener { port in
      application("::1", port, logger) { _ in }
    } ports: {
      ports
    }
    var configuration = ServiceGroupConfiguration(
      services: [
        .init(service: first), .init(service: second),
        .init(
          service: Idling(site: site, limit: options.idleLimit),
          successTerminationBehavior: .gracefullyShutdownGroup),
      ], logger: logger)
    configuration.gracefulShutdownSignals = [.sigterm, .sigint]
    configuration.maximumGracefulShutdownDuration = .seconds(2)
    try await ServiceGroup(configuration: configuration).run()
  }

  private static var quietLogger: Logger {
    var logger = Logger(label: "openwo-web")
    logger.logLevel = .critical
    return logger
  }

  private func application(
    _ host: String, _ port: Int, _ logger: Logger,
    _ running: @escaping @Sendable (any Channel) async -> Void
  ) -> some Service {
    let limits = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)
    return Application(
      responder: CallbackResponder<BasicRequestContext> { request, _ in
        await site.respond(to: request)
      },
      server: .http1(
        configuration: .init(idleTimeout: .seconds(60), httpDecoderConfiguration: limits)),
      configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
      onServerRunning: running, logger: logger)
  }
}

/// Listens on the other loopback address at the same port, if there is one.
private struct SecondListener<Listener: Service>: Service {
  let listener: @Sendable (Int) -> Listener
  let ports: @Sendable () -> AsyncStream<Int>

  init(
    _ listener: @escaping @Sendable (Int) -> Listener,
    ports: @escaping @Sendable () -> AsyncStream<Int>
  ) {
    (self.listener, self.ports) = (listener, ports)
  }

  func run() async throws {
    for await port in ports() {
      do { try await listener(port).run() } catch {
        // A machine without IPv6 has no such address.
        try? await gracefulShutdown()
      }
      return
    }
  }
}

/// Ends when nobody has asked for anything for a while.
private struct Idling: Service {
  let site: Site
  let limit: Duration

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while site.idleTime < limit {
        do { try await Task.sleep(for: min(limit, .seconds(5))) } catch { return }
      }
    }
  }
}
