#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The end of the process, and programs that it starts.
enum Ending {
  /// Ends the process with a status.
  static func end(_ status: Int32) -> Never { exit(status) }
}

/// The browser of this desktop.
enum Browser {
  /// Opens an address in a browser; without a browser nothing happens, as the address was printed.
  static func open(_ address: String) {
    #if os(macOS)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(address), nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    _ = posix_spawnp(&pid, program, nil, nil, &words, environ)
  }
}
