import HTTPTypes
import OpenWOApp

/// Names of versions; they are about one version and change no data.
extension StoreAnswer {
  /// Gives a version a name, in place of one that it has; without a name the one that it has is taken away.
  func pin(_ store: SyncedDatabase, _ fields: Fields) throws -> Reply {
    guard let id = fields["version"].flatMap({ VersionID($0) }) else { throw missing("version") }
    let (name, former) = (fields["name"]?.trimmed, fields["former"])
    guard name?.isEmpty == false || former != nil else { return refusedName(nil) }
    if let name, !name.isEmpty, name != former {
      let others = try store.history().filter { $0.version.id != id }
      guard !others.contains(where: { $0.pins.contains(name) }) else { return refusedName(nil) }
      do { try store.pin(id, as: name) } catch let error as StoreError where error.code == .usage {
        return refusedName(error)
      }
    }
    if let former, former != name { try store.unpin(former) }
    let isGone = name?.isEmpty != false
    return .go(
      file.address(
        "history",
        query: [
          ("done", isGone ? "unpin" : former == nil ? "pin" : "rename"),
          ("name", isGone ? former : name), ("page", fields["page"]),
        ]))
  }

  private func refusedName(_ error: StoreError?) -> Reply {
    let sentence = tag(
      "p", [:], .mark("⚠ "),
      voice.say(
        "That cannot be the name: it is empty, too long, means a time, or another version has it.",
        "その名前は使えません。空、長すぎる、日時を表す、またはほかの版が使っている名前です。"))
    let details = error.map {
      tag(
        "details", [:], tag("summary", [:], voice.say("Details", "詳細")),
        tag("p", [:], .foreign($0.message)))
    }
    return Reply(
      tag("div", ["class": "alert", "role": "alert"], sentence, details ?? .none),
      status: .unprocessableContent, isPiece: true)
  }
}

extension String {
  /// The text without white space around it.
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
