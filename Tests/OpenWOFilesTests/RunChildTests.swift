import Foundation
import OpenWOFiles
import SystemPackage
import Testing

/// Each in a process of its own: what a process does with signals belongs to all of it, and so to every test beside these.
struct RunChildTests {
  @Test func `the status of the child comes back, and the signal that ended it`() async {
    await #expect(processExitsWith: .success) {
      #expect(try runChild(arguments: ["true"]) == .exited(0))
      #expect(try runChild(arguments: ["sh", "-c", "exit 7"]) == .exited(7))
      let killed = try runChild(arguments: ["sh", "-c", "kill -TERM $$"])
      #expect(killed == .signalled(SIGTERM))
      #expect(killed.status == 143)
    }
  }

  @Test func `a command that is not found is an error that says so`() async {
    await #expect(processExitsWith: .success) {
      let missing = #expect(throws: FileError.self) {
        try runChild(arguments: ["openwo-no-such-command"])
      }
      #expect(
        missing?.message == "cannot run openwo-no-such-command: no such program is found by PATH")
      let path = #expect(throws: FileError.self) { try runChild(arguments: ["/none/none"]) }
      #expect(path?.message == "cannot run /none/none: no such file or directory")
      #expect(throws: FileError.self) { try runChild(arguments: []) }
      #expect(throws: FileError.self) { try runChild(arguments: ["/"]) }
    }
  }

  @Test func `arguments and environment arrive as they are`() async {
    await #expect(processExitsWith: .success) {
      let script = #"[ "$1" = "a b 'c" ] && [ "$X" = "1 2" ] && [ -z "$HOME" ]"#
      let exit = try runChild(
        arguments: ["/bin/sh", "-c", script, "sh", "a b 'c"], environment: ["X": "1 2"])
      #expect(exit == .exited(0))
      #expect(try runChild(arguments: ["sh", "-c", #"[ -n "$PATH" ]"#]) == .exited(0))
    }
  }

  @Test func `an interrupt while the child runs is the child's affair alone`() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      let script = "kill -INT $PPID; kill -QUIT $PPID; exit 7"
      try #expect(runChild(arguments: ["sh", "-c", script]) == .exited(7))
      try #expect(
        runChild(arguments: ["sh", "-c", "kill -INT $$; exit 7"]) == .signalled(SIGINT))
      // This process handles the signal as before again.
      kill(getpid(), SIGINT)
      while true { pause() }
    }
  }

  @Test func `a process that ignores interrupts passes that on and keeps ignoring them`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGINT, SIG_IGN)
      signal(SIGCHLD, SIG_IGN)
      try #expect(runChild(arguments: ["sh", "-c", "kill -INT $$; exit 7"]) == .exited(7))
      kill(getpid(), SIGINT)
    }
  }

  @Test func `a pipe that nobody reads ends the child and not this process`() async {
    await #expect(processExitsWith: .success) {
      ignoreFileSizeSignals()
      try #expect(
        runChild(arguments: ["sh", "-c", "kill -PIPE $$; exit 7"]) == .signalled(SIGPIPE))
      try #expect(
        runChild(arguments: ["sh", "-c", "kill -XFSZ $$; exit 7"]) == .signalled(SIGXFSZ))
      kill(getpid(), SIGPIPE)
      kill(getpid(), SIGXFSZ)
    }
  }
}
