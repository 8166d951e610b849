import OpenWO
import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// openwo's own journals, which contain the inodes of the two files to which they belong.
extension Disk {
  /// Writes their marks again if the files have other inodes than on the disk on which they were
  /// written.
  func markJournals(at root: FilePath) throws {
    let system = FileSystem()
    let keys = names.filter { Disk.name(of: $0.key) == "journal.key" }
      .compactMap { files[$0.value]?.bytes }
    let former = Dictionary(inodes.map { ($1, $0) }) { first, _ in first }
    for (path, number) in names where path.hasSuffix("-journal") && isReachable(path) {
      let owner = String(path.dropLast("-journal".count))
      guard let journal = files[number], let mark = JournalMark(of: journal.bytes),
        let database = names[owner], isReachable(owner)
      else { continue }
      let inodes = [former[database], former[number]].compactMap(\.self)
      for key in keys {
        let header = headers(files[database]?.bytes ?? [], journal.bytes).first {
          mark == JournalMark(key, journal.bytes, inodes: inodes, header: $0)
        }
        guard let header else { continue }
        let place = root.pushing(FilePath(path))
        let standing = try [owner, path].map { try system.lstat(root.pushing(FilePath($0))).inode }
        let anew = JournalMark(key, journal.bytes, inodes: standing, header: header).bytes
        let descriptor = try system.open(place, .readWrite)
        try anew.withUnsafeBytes {
          try system.pwrite(descriptor, at: Int64(JournalHeader.size), $0)
        }
        try system.close(descriptor)
        try system.setTimes(place, modified: journal.time)
      }
    }
  }

  /// The headers that a database may have had before a transaction: its current one, and the one in
  /// its journal.
  private func headers(_ database: [UInt8], _ journal: [UInt8]) -> [[UInt8]] {
    let sizes = journal[JournalHeader.lasting].suffix(8)
    let (sector, page) = (Self.number(sizes.prefix(4)), Self.number(sizes.suffix(4)))
    let records = stride(from: sector, to: journal.count, by: page + 8).map { journal[$0...] }
    let first = records.filter { Self.number($0.prefix(4)) == 1 }.map { $0.dropFirst(4) }
    return ([database[...]] + first).map { Array($0.prefix(DatabaseHeader.size)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
