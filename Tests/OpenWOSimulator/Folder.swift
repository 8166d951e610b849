/// The use of a path in the synced folder.
enum Path: Sendable, Hashable {
  /// The live file.
  case live
  /// A conflict copy that a service made.
  case copy(Int)
  /// A staging file of openwo; no service touches it.
  case staging(Int)
  /// `versions/…`, by the version's number.
  case version(Int)
  /// The same version in full, where its first file rests on another one.
  case full(Int)
  /// `devices/<device>.json`, by the device's identity.
  case record(Int)
  /// `locks/<device>.json`, by the device's identity.
  case lock(Int)

  /// Whether it is in the companion folder.
  var isCompanion: Bool {
    switch self {
    case .version, .full, .record, .lock: true
    case .live, .copy, .staging: false
    }
  }
}

/// One file: its content and what the file system says of it.
struct File: Sendable, Hashable {
  /// The number of its content, version, record or lock, by what the path is for.
  var value: Int
  /// Milliseconds since 1970 by the writer's clock.
  var modified: Int64
  /// When the file took this form on this device, by this device's clock.
  var changed: Int64
  /// A file renamed over another one brings its own.
  var inode: Int
  /// Different after every write of content.
  var stamp: Int
  /// Only a piece of it has arrived; a database file says so by its content instead.
  var isPiece = false
  /// The name is there and the content is not.
  var isPlaceholder = false
}

/// A folder on one device: files by the numbers of their paths.
struct Folder: Sendable {
  private(set) var files: [File?] = []
  /// When a name last went away or came, by this device's clock.
  var changed: Int64 = 0

  subscript(path: Int) -> File? {
    get { path < files.count ? files[path] : nil }
    set {
      if path >= files.count {
        files += [File?](repeating: nil, count: path + 1 - files.count)
      }
      files[path] = newValue
    }
  }
}
