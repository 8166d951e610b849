import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

extension JournalTriage {
  /// A private copy of a database and its journal, in which the journal can be replayed without
  /// harm.
  struct Trial {
    /// The content of the copy after the journal was replayed.
    struct Outcome {
      var content: ContentHash
      /// The bytes of its header.
      var header: [UInt8]
      var isWhole: Bool
    }

    /// The content of the database file, without the journal.
    let before: ContentHash
    /// The first sector of the journal.
    let journalHead: [UInt8]
    private let folder: FilePath
    private let path: FilePath
    private let journalPath: FilePath
    private let files: FileSystem

    init(_ journal: borrowing HotJournal, _ folder: FilePath, _ files: FileSystem) throws {
      (self.folder, self.files) = (folder, files)
      let name = "trial-\(randomHex(bytes: 8)).sqlite"
      path = folder.appending(name)
      journalPath = folder.appending(name + "-journal")
      before = try Self.copyDatabase(journal, to: path, files)
      try AtomicFile.copy(
        journal.journalPath, to: journalPath, durable: false, fileSystem: files)
      let (copy, _) = try files.openRegular(journalPath)
      journalHead = try FileSystem.withBuffer(byteCount: JournalHeader.leastSector) {
        (buffer) throws(FileError) in
        try Array(buffer.prefix(files.pread(copy, at: 0, into: buffer)))
      }
    }

    /// Copies the database file without replaying the journal, and returns its content.
    static func copyDatabase(
      _ journal: borrowing HotJournal, to path: FilePath, _ files: FileSystem
    ) throws -> ContentHash {
      var hasher = TreeHasher()
      let size = try journal.databaseSize
      let header = try DatabaseHeader.parse(journal.databaseHeader)
      // Bytes after the last page are copied, but are not part of the content.
      let end = min(size, header?.contentSize(inFileOf: size) ?? size)
      try AtomicFile.write(to: path, durable: false, fileSystem: files) { writer in
        try FileSystem.withBuffer { buffer in
          var offset: Int64 = 0
          while offset < size {
            let count = try journal.readDatabase(at: offset, into: buffer)
            guard count > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let counted = Int(min(max(end - offset, 0), Int64(count)))
            hasher.update(UnsafeRawBufferPointer(rebasing: bytes[..<counted]))
            try writer.append(bytes)
            offset += Int64(count)
          }
        }
      }
      return hasher.finish().root
    }

    /// Whether the copy is a whole database without its journal; also one in WAL mode.
    func isWholeBefore() throws -> Bool {
      let options = Connection.Options(mode: .readOnly, immutable: true, guardPolicy: .privateCopy)
      let content = try FoldedContent(path, files)
      guard content.isFolded else { return try check(path, options)?.isWhole ?? false }
      let folded = folder.appending("trial-\(randomHex(bytes: 8)).sqlite")
      defer { try? files.unlink(folded) }
      try content.write(to: folded, durable: false, files)
      return try check(folded, options)?.isWhole ?? false
    }

    /// Plays the journal into the copy; nil if that does not lead to a database.
    ///
    /// - Throws: What says nothing of the journal, as a full disk.
    func play() throws -> Outcome? {
      try check(path, Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    }

    /// Keeps the copy after the replay of its journal.
    func keep(in folder: FilePath) throws {
      try files.makeDirectories(folder)
      let kept = folder.appending("\(randomHex(bytes: 8)).sqlite")
      try AtomicFile.copy(path, to: kept, fileSystem: files)
    }

    private func check(_ path: FilePath, _ options: Connection.Options) throws -> Outcome? {
      do {
        let connection = try Connection(path: path, options)
        defer { connection.close() }
        return try connection.withReadLock {
          // A journal with a wrong database size can make a file of any size.
          guard try !files.lstat(path).isHollow else { return nil }
          let digests = try LiveContent(connection).digests()
          return Outcome(
            content: digests.root, header: try connection.headerBytes(),
            isWhole: try connection.damage(ifDelivered: true) == nil)
        }
      } catch let error as SQLiteError {
        // The guard always refuses these, for example a database in WAL mode.
        let isRefused = error.code == .cannotOpen && error.extendedCode != .cannotOpen
        guard isRefused || !error.isPassing else { throw error }
        return nil
      }
    }

    func remove() {
      try? files.unlink(path)
      try? files.unlink(journalPath)
    }
  }
}
