/// A row of the table of services: one form of the mark that a service puts into a copy's name.
///
/// The mark comes before the extension or at the end of the name.
struct ConflictPattern: Sendable {
  /// The role of a file with the mark in its name.
  enum Role: Sendable {
    case conflict(ConflictName.Strength)
    /// A person's or a tool's own copy.
    case backup
  }

  let services: [SyncService]
  let role: Role
  /// Text around a name that is not part of it.
  var joints: [String] = []
  var isRemovable = true
  /// Whether upper and lower case matter.
  var isExact = false
  /// Whether the mark may also follow the extension, or precede the last but one.
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
