/// The service's store in the middle: the newest state of each file.
struct Cloud {
  /// One state of a file; without bytes it was removed.
  struct Revision {
    var number: Int
    var bytes: [UInt8]?
    var modified: Int64
  }

  private(set) var files: [String: Revision] = [:]
  /// The states that the database has had.
  private(set) var past: [Revision] = []
  private var count = 0

  /// Takes a new state of a file.
  mutating func take(_ bytes: [UInt8]?, modified: Int64, of path: String) -> Revision {
    count += 1
    let revision = Revision(number: count, bytes: bytes, modified: modified)
    files[path] = revision
    if path == Device.database && bytes != nil { past.append(revision) }
    return revision
  }
}

/// A file that is on its way to a device.
struct Arrival {
  /// How much of it is there so far.
  enum Form {
    /// Its first half, in the file with an inode.
    case half(UInt64, [UInt8])
    /// Nothing: the name is free.
    case gap
    /// All of it, under another name.
    case staged(String)
  }

  var path: String
  var revision: Cloud.Revision
  var form: Form
}
