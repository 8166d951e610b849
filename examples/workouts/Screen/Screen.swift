import OpenWOApp
import SystemPackage

/// What a person sees: the terminal stands in for the screen.
struct Screen {
  /// The database as the person named it, for the commands that are suggested.
  let path: String

  func line(_ text: String) {
    write(text, to: .standardOutput)
  }

  /// Says something that is not what was asked for.
  func note(_ text: String) {
    write("workouts: \(text)", to: .standardError)
  }

  /// A line at once, and without what could steer the terminal: rows may come from anywhere.
  private func write(_ text: String, to output: FileDescriptor) {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      shown.append(scalar.properties.generalCategory == .control ? "?" : scalar)
    }
    // A closed terminal is no reason to stop: the data matters, not the line.
    _ = try? output.writeAll("\(String(shown))\n".utf8)
  }
}

/// What the person is told when things are not as usual.
extension Screen {
  func warn(of lock: StoreLock) {
    note("\(holder(of: lock)); this is the state from before")
  }

  func offerReading(_ lock: StoreLock) {
    note("\(holder(of: lock)); nothing was written")
    note("reading works meanwhile: workouts \(path) list")
  }

  func complain(_ error: StoreError) {
    note("error: \(error.message)")
    note("hint: \(error.hint)")
  }

  func holder(of lock: StoreLock) -> String {
    "locked by \(lock.holder)\(lock.note.map { ": \($0)" } ?? "")"
  }
}
