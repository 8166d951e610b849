import OpenWO
import OpenWOHistory
import SystemPackage

/// The planner on sightings of any graph: what a plan may do at one moment, and where plans lead when they are carried out.
enum PlannerTarget {
  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    guard var scene = try? PlannedScene(&reader) else { return }
    let kept = scene.wholeContents
    // Each wait and each step is a round; a graph of 24 heads settles in far fewer.
    for _ in 0..<400 {
      let plan = Reconciler(policy: scene.policy).plan(scene.seen)
      expect(plan == Reconciler(policy: scene.policy).plan(scene.turned), "order is no matter")
      for action in plan { scene.check(action) }
      if scene.seen.lock != nil {
        expect(plan.allSatisfy(\.isForLock), "nothing is done while somebody holds the lock")
        scene.seen.lock = nil
        continue
      }
      expect(kept.isSubset(of: scene.wholeContents), "no content is lost")
      if plan.isEmpty { return scene.checkQuiet() }
      do { try scene.carryOut(plan) } catch { fatalError("a plan cannot be carried out: \(error)") }
    }
    var last: [[Action]] = []
    for _ in 0..<4 {
      last.append(Reconciler(policy: scene.policy).plan(scene.seen))
      try? scene.carryOut(last[last.count - 1])
    }
    fatalError("plans lead nowhere, at \(scene.seen.now): \(last)")
  }

  static func seeds() -> [[UInt8]] {
    (0..<24).map { seed in
      (0..<160).map { UInt8(truncatingIfNeeded: (seed * 73 + $0 * $0 * 31) >> 1) }
    }
  }
}

extension Action {
  fileprivate var isForLock: Bool {
    switch self {
    case .publish, .acknowledge, .captureLive, .wait: true
    default: false
    }
  }
}
