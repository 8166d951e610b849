import Corpora
import OpenWO
import OpenWOTestSupport

/// The choices of a seed before the first step.
struct Scenario: Sendable, CustomStringConvertible {
  /// How a received file takes its name.
  enum Delivery: String, Sendable, CaseIterable {
    /// In one step, over the old one's bytes, after the old one has gone, or after a while under a name of the service's.
    case rename, inPlace, gap, staged
  }

  /// How the service calls the loser of a conflict.
  enum CopyName: String, Sendable, CaseIterable {
    case syncthing, dropbox, oneDrive, iCloud, nextcloud
  }

  /// The modification time of a received file.
  enum Time: String, Sendable, CaseIterable {
    case kept, seconds, arrival
  }

  let seed: UInt64
  var devices = 2
  var settling = SettlePolicy.lastWriterWins
  var skews: [Int64] = []
  var delivery: [Delivery] = []
  var time = Time.kept
  /// Nil: the later file wins, the other is gone.
  var copyName: CopyName?
  /// Whether calls fail.
  var failsCalls = false
  /// Whether the service comes in between the calls of a step.
  var interrupts = false
  /// Whether the file system knows exchanging two files.
  var canExchange = true

  /// Whether writes are captured later.
  var capturesLater = false

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    devices = random.chance(0.6) ? 2 : 3
    settling = random.chance(0.3) ? .merge : .lastWriterWins
    let skewed = random.chance(0.3)
    skews = (0..<devices).map { _ in
      skewed ? [0, 3_000, -3_000, 200_000, -200_000][random.number(0...4)] : 0
    }
    delivery = Delivery.allCases.filter { $0 == .rename || random.chance(0.5) }
    time = random.chance(0.6) ? .kept : Time.allCases[random.number(0...2)]
    copyName = random.chance(0.15) ? nil : CopyName.allCases[random.number(0...4)]
    failsCalls = random.chance(0.3)
    canExchange = random.chance(0.8)
    interrupts = random.chance(0.4)
    capturesLater = random.chance(0.2)
  }

  /// The steps of the run.
  func steps(_ count: Int) -> [Step] {
    var random = SeededRandom(seed: seed ^ 0x5DEE_CE66)
    return (0..<count).map { _ in Step.draw(devices: devices, &random) }
  }

  var description: String {
    """
    \(devices) devices, \(settling.rawValue), skews \(skews), \
    \(delivery.map(\.rawValue).joined(separator: " ")), time \(time), \
    copies \(copyName?.rawValue ?? "none")\(failsCalls ? ", calls fail" : "")\
    \(interrupts ? ", comes in between" : "")\(canExchange ? "" : ", no exchange")\
    \(capturesLater ? ", captures later" : "")
    """
  }
}
