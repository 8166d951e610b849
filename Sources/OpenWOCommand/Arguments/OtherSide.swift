import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The other side of a conflict.
extension Invocation {
  /// The side that a word names, else the only side that waits to be merged; nil if none does.
  func otherSide(_ word: String?, of store: SyncedDatabase) throws -> NamedState? {
    if let word { return try state(word, of: store) }
    let waiting = try store.mergeable().map { source in
      if case .file(let path) = source {
        NamedState(.file(store.called(path)))
      } else {
        NamedState(source)
      }
    }
    guard let only = waiting.first else { return nil }
    guard waiting.count == 1 else {
      let names = waiting.prefix(5).map(\.shellName).joined(separator: ", ")
      throw StoreError.usage(
        "\(waiting.count) sides wait to be merged: \(names)\(waiting.count > 5 ? " and more" : "")",
        hint: "name one, or merge all of them: \(try database().command("merge", "--all"))")
    }
    return only
  }
}

extension NamedState {
  init(_ source: MergeSource) {
    switch source {
    case .version(let id): self.init(state: .version(id), label: "version \(id.short)")
    case .file(let path):
      self.init(state: .file(path), label: path.lastComponent?.printable ?? path.printable)
    }
  }

  /// The state as something to merge; nil for the database itself.
  var source: MergeSource? {
    switch state {
    case .live: nil
    case .version(let id): .version(id)
    case .file(let path): .file(path)
    }
  }

  /// Its name in a command.
  var shellName: String {
    switch state {
    case .live: "@"
    case .version(let id): id.short
    case .file(let path): path.shellName
    }
  }
}
