/// A row of the table of services: one form of the mark that a service puts into a copy's name.
///
/// The mark stands before the extension or at the end of the name.
struct ConflictPattern: Sendable {
  /// What a name with the mark is.
  enum Role: Sendable {
    case conflict(ConflictName.Strength)
    /// A person's or a tool's own copy.
    case backup
  }

  let services: [SyncService]
  let role: Role
  /// What stands around a name and is no part of it.
  var joints: [String] = []
  var isRemovable = true
  /// Whether upper and lower case matter.
  var isExact = false
  /// Whether the mark may also stand behind the extension or before the last but one.
  var standsAnywhere = true
  /// The marks, as ``NameTemplate`` reads them.
  let marks: [String]

  init(
    _ services: [SyncService], role: Role, joints: [String] = [], isRemovable: Bool = true,
    isExact: Bool = false, standsAnywhere: Bool = true, _ marks: [String]
  ) {
    (self.services, self.role, self.joints, self.marks) = (services, role, joints, marks)
    (self.isRemovable, self.isExact, self.standsAnywhere) = (isRemovable, isExact, standsAnywhere)
  }
}
