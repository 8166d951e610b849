import OpenWOCFiles

/// The terminal behind a descriptor, and the local time that people read there.
package enum Terminal {
  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal; nil if they cannot be found out.
  package static func width(_ descriptor: Int32) -> Int? {
    let width = openwo_terminal_width(descriptor)
    return width > 0 ? Int(width) : nil
  }

  /// The lines of the terminal; nil if they cannot be found out.
  package static func height(_ descriptor: Int32) -> Int? {
    let height = openwo_terminal_height(descriptor)
    return height > 0 ? Int(height) : nil
  }

  /// How many minutes local time is ahead of UTC at a moment in milliseconds since 1970.
  package static func minutesEast(at milliseconds: Int64) -> Int64 {
    openwo_seconds_east(milliseconds / 1000) / 60
  }
}
