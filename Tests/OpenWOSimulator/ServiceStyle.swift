package import OpenWOTestSupport

/// How a simulated service behaves: a kind, and knobs that every run turns differently.
package struct ServiceStyle: Sendable, Hashable {
  /// The five kinds.
  package enum Kind: String, Sendable, CaseIterable {
    /// A server with revisions; the loser of a conflict becomes a copy. Like Dropbox and Nextcloud.
    case server
    /// Devices with version vectors and a bound on copies. Like Syncthing.
    case peer
    /// The last one to be copied wins, without a trace. Like rsync.
    case blind
    /// Compares contents with what was last equal. Like Unison and rclone.
    case contents
    /// A server that brings names first and contents on demand. Like iCloud Drive.
    case placeholder
  }

  /// Who keeps the name in a conflict.
  package enum Winner: Sendable, CaseIterable {
    case service, newer, nobody
  }

  /// How a received file takes its name.
  package enum Delivery: Sendable, CaseIterable {
    /// In one step.
    case rename
    /// The old name goes first, the new one comes later.
    case gap
    /// Over the old content, piece by piece.
    case inPlace
  }

  /// The modification time of a received file.
  package enum Time: Sendable, CaseIterable {
    case kept, seconds, arrival
  }

  package var kind: Kind
  var winner: Winner = .service
  var delivery: Delivery = .rename
  var time: Time = .kept
  /// Whether the loser is kept as a copy.
  var makesCopies = true
  /// Whether copies travel to the other devices.
  var sharesCopies = true
  /// How many copies are kept; nil: all.
  var mostCopies: Int?
  /// Files are taken in their order in the folder, not at random.
  var isOrderly = false
  /// Removed files are removed elsewhere.
  var sharesRemovals = true

  /// Draws the knobs of a run.
  package init(_ kind: Kind, _ random: inout SeededRandom) {
    self.kind = kind
    delivery = Delivery.allCases[random.below(3)]
    time = random.chance(percent: 60) ? .kept : Time.allCases[random.below(3)]
    isOrderly = random.chance(percent: 20)
    switch kind {
    case .server, .placeholder:
      winner = [.service, .service, .newer, .nobody][random.below(4)]
      sharesCopies = random.chance(percent: 60)
    case .peer:
      winner = .newer
      mostCopies = [nil, 10, 1, 0][random.below(4)]
    case .contents:
      winner = [.nobody, .newer, .service][random.below(3)]
      makesCopies = winner == .newer ? random.chance(percent: 60) : random.chance(percent: 30)
      sharesCopies = random.chance(percent: 50)
    case .blind:
      makesCopies = false
      sharesRemovals = random.chance(percent: 50)
    }
  }
}
