#if os(Linux)
  import OpenWOCFiles
  import SystemPackage

  /// inotify(7) on some folders, each of which may be missing, appear, be replaced or move away.
  ///
  /// It watches an existing folder for its names and content. For a missing one it watches the
  /// nearest folder above for the next name of the path. It also watches whether the folders above
  /// move or go, which costs nothing until they do.
  struct FolderNotifier {
    let descriptor: Descriptor
    private let folders: [FilePath]
    private let files: FileSystem
    /// The watches by their kernel numbers.
    private var watches: [Int32: Watch] = [:]
    /// The folders at the time when the watches were set.
    private var armed: [FilePath: Identity] = [:]

    private struct Watch {
      /// Whether any change of names or content here counts.
      var isWhole = false
      /// The names whose appearing brings a missing folder nearer.
      var awaited: Set<[UInt8]> = []
    }

    private struct Identity: Hashable {
      var device: UInt64
      var inode: UInt64
    }

    private static let own = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD)
    private static let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
    private static let appearing = UInt32(IN_CREATE | IN_MOVED_TO)
    /// Nothing of what reading does: no IN_ACCESS, IN_OPEN or IN_CLOSE_NOWRITE.
    private static let changing =
      appearing | UInt32(IN_MOVED_FROM | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)

    /// Fails when the kernel cannot tell of all changes there.
    init(_ folders: [FilePath], _ files: FileSystem) throws(FileError) {
      self.folders = folders
      self.files = files
      let number = try files.perform(.watch, folders.first) {
        inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      }
      descriptor = Descriptor(number, path: folders.first ?? "")
      try arm()
    }

    /// Sets the watches again if a folder is not the one that was watched, and returns whether it
    /// did.
    mutating func rearmIfReplaced() throws(FileError) -> Bool {
      guard identities() != armed else { return false }
      try arm()
      return true
    }

    /// Takes the events that are there and says whether one of them counts.
    mutating func takeEvents() throws(FileError) -> Bool {
      var (isChange, isLost) = (false, false)
      for event in try readEvents() {
        let watch = watches[event.watch]
        // Our own removal of a watch announces itself too; by then nobody knows its number.
        let isGone = watch != nil && event.mask & FolderNotifier.gone != 0
        let isNearer = watch?.awaited.contains(event.name) == true
        isLost = isLost || isGone || isNearer || event.mask & UInt32(IN_Q_OVERFLOW) != 0
        isChange = isChange || watch?.isWhole == true
      }
      if isLost { try arm() }
      return isChange || isLost
    }

    private func identities() -> [FilePath: Identity] {
      var found: [FilePath: Identity] = [:]
      for folder in folders {
        if let status = try? files.stat(folder), status.kind == .directory {
          found[folder] = Identity(device: status.device, inode: status.inode)
        }
      }
      return found
    }

    /// Removes all watches and sets new ones, again if a folder is replaced meanwhile.
    private mutating func arm() throws(FileError) {
      // Folders that keep changing are left to the next wait.
      for _ in 0..<10 {
        for watch in watches.keys { inotify_rm_watch(descriptor.number, watch) }
        watches = [:]
        armed = identities()
        for folder in folders { try arm(folder) }
        if identities() == armed { return }
      }
    }

    private mutating func arm(_ folder: FilePath) throws(FileError) {
      if Machine.isNetworkFileSystem(folder) {
        throw FileError(.watch, folder, errno: ENOTSUP, detail: "it is on a network file system")
      }
      var missing = try add(folder, FolderNotifier.changing) { $0.isWhole = true }
      var above = folder
      while above.removeLastComponent() {
        if let name = missing?.bytes {
          missing = try add(above, FolderNotifier.appearing) { $0.awaited.insert(name) }
        } else {
          // May be closed to us: then its moving away goes unnoticed until the next wait.
          _ = try? add(above, 0) { _ in }
        }
      }
    }

    /// Watches a folder; if there is none, returns the name to wait for above it.
    private mutating func add(
      _ folder: FilePath, _ mask: UInt32, _ note: (inout Watch) -> Void
    ) throws(FileError) -> FilePath.Component? {
      do throws(FileError) {
        let watch = try files.perform(.watch, folder) {
          folder.orWorkingFolder.withPlatformString {
            inotify_add_watch(descriptor.number, $0, mask | FolderNotifier.own)
          }
        }
        note(&watches[watch, default: Watch()])
        return nil
      } catch let error where error.isMissing {
        return folder.lastComponent
      }
    }
  }

  extension FolderNotifier {
    private struct Event {
      var watch: Int32
      var mask: UInt32
      var name: [UInt8]
    }

    private func readEvents() throws(FileError) -> [Event] {
      // Of a size that malloc hands out without asking the kernel.
      try FileSystem.withBuffer(byteCount: 64 * 1024) { (buffer) throws(FileError) in
        let count = try files.perform(.watch, descriptor.path) {
          let count = read(descriptor.number, buffer.baseAddress, buffer.count)
          return count == -1 && openwo_errno() == EAGAIN ? 0 : count
        }
        return events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }

    private func events(in bytes: UnsafeRawBufferPointer) -> [Event] {
      let header = MemoryLayout<inotify_event>.size
      var events: [Event] = []
      var offset = 0
      while offset + header <= bytes.count {
        let raw = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let name = bytes[(offset + header)...].prefix(Int(raw.len)).prefix { $0 != 0 }
        events.append(Event(watch: raw.wd, mask: raw.mask, name: Array(name)))
        offset += header + Int(raw.len)
      }
      return events
    }
  }
#endif
