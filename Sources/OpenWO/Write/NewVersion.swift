import OpenWOHistory
import OpenWOSQLite

/// A content that is to become a version of this device, and what is known of it.
struct NewVersion {
  let facts: ContentFacts
  let reason: VersionReason
  /// The versions that it follows from; nil: the live version and those that count as one with it.
  let parents: [VersionID]?
  let note: String?
  /// The time of its file, for a content that came without a stamp.
  let modified: Timestamp?
  let members: [JSONMember]

  init(
    _ facts: ContentFacts, _ reason: VersionReason, parents: [VersionID]?, note: String? = nil,
    notAfter modified: Timestamp? = nil, members: [JSONMember] = []
  ) {
    (self.facts, self.reason, self.parents) = (facts, reason, parents)
    (self.note, self.modified, self.members) = (note, modified, members)
  }
}

extension ContentFacts {
  init(_ header: DatabaseHeader, _ digests: BlockDigests) {
    self.init(
      hash: digests.root, bytes: digests.size, pageSize: header.pageSize,
      userVersion: header.userVersion, applicationID: header.applicationID)
  }
}
