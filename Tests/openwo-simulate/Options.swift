import OpenWOSimulator

/// The options of the command line.
struct Options {
  enum Task {
    case campaign, faults, same
  }

  static let usage = """
    openwo-simulate [--runs N] [--seed S] [--length N] [--kind KIND] [--fault NAME]
                    [--faults | --same]

      --runs N      how many runs; 20000 if left out
      --length N    actions in a run; 150 if left out
      --kind KIND   server, peer, blind, contents or placeholder; all if left out
      --fault NAME  with this bug switched on
      --faults      look for every bug, at most 20,000 runs each
      --same        make every run twice and compare event for event
    """

  var task = Task.campaign
  var campaign = Campaign(runs: 20_000)

  init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      switch option {
      case "--faults": task = .faults
      case "--same": task = .same
      default:
        guard let value = rest.popFirst(), set(option, value) else { return nil }
      }
    }
  }

  private mutating func set(_ option: String, _ value: String) -> Bool {
    switch option {
    case "--runs": return set(\.runs, Int(value))
    case "--length": return set(\.length, Int(value))
    case "--seed": return set(\.seed, UInt64(value))
    case "--kind":
      campaign.kind = ServiceStyle.Kind(rawValue: value)
      return campaign.kind != nil
    case "--fault":
      campaign.fault = Fault(rawValue: value)
      return campaign.fault != nil
    default: return false
    }
  }

  private mutating func set<Value>(
    _ property: WritableKeyPath<Campaign, Value>, _ value: Value?
  ) -> Bool {
    if let value { campaign[keyPath: property] = value }
    return value != nil
  }
}
