import OpenWO
import OpenWOFiles
import SystemPackage

/// What is done by hand, as commands of the system.
extension CommandCall {
  func line(_ chore: Chore) -> String {
    switch chore {
    case .remove(let path): "rm \(path.shellName)"
    case .identify(let path): "file \(path.shellName)"
    case .list(let path): "ls -l \(path.shellName)"
    case .listAll(let path): "ls -la \(path.shellName)"
    case .listTree(let path): "ls -laR \(path.shellName)"
    case .owner(let path): "ls -ld" + (path.map { " \($0.shellName)" } ?? "")
    case .space(let path): "df -h \(path.shellName)"
    case .share(let mode, let path): "chmod -R \(Self.rights(mode)) \(path.shellName)"
    case .moveHome(let path): "mv \(path.shellName) ~"
    case .syncAndMoveHome(let path): "\(openwo("sync")) && mv \(path.exactShellName) ~"
    case .putAway(let path, let other, let remedy):
      ["mv \(path.shellName) \(other.shellName)", line(remedy)].compactMap(\.self)
        .joined(separator: " && ")
    case .replaceLink(let link, let folder):
      "rm \(link.shellName) && mv \(folder.shellName) \(link.shellName)"
    case .moveDatabase(let database, let link, let hasStore):
      "mv \(database.shellName) \(link.shellName) && openwo \(hasStore ? "sync" : "init") "
        + link.shellName
    case .detach(let path, let other):
      "cp -p \(path.shellName) \(other.shellName) && mv \(other.shellName) \(path.shellName)"
    case .bringOver(let folder, let other):
      "cp -Rn \(folder.exactShellName)/. \(other.exactShellName)"
    case .sqlite(let path, let question): "sqlite3 \(path.shellName) \(Self.word(question))"
    case .nameStateFolder: "export OPENWO_STATE_DIR=…"
    case .setClock: "timedatectl set-ntp true"
    }
  }

  private static func word(_ question: Chore.Question) -> String {
    switch question {
    case .tables: ".tables"
    case .schema: ".schema"
    case .integrity: "'PRAGMA integrity_check'"
    case .recover: ".recover"
    }
  }

  /// The rights of the group and of others, as `chmod` takes them.
  private static func rights(_ mode: UInt16) -> String {
    [("g", mode >> 3), ("o", mode)].compactMap { who, bits in
      let rights = (bits & 4 != 0 ? "r" : "") + (bits & 2 != 0 ? "w" : "")
      return rights.isEmpty ? nil : "\(who)+\(rights)X"
    }.joined(separator: ",")
  }
}

extension FilePath {
  /// The path for a shell, byte for byte, so that no terminal changes its Unicode form.
  fileprivate var exactShellName: String {
    bytes.allSatisfy { $0 < 0x80 } ? shellName : FilePath.bashName(bytes)
  }
}
