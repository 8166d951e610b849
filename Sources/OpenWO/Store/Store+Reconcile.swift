import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Carrying out plans: look, plan, act, look again, until there is nothing to do but wait.
extension Store {
  /// What was seen of a live file whose signature the record does not have.
  struct LiveSeen {
    var signature: FileSignature
    var live: Sighting.Live
    /// Its digests; nil while it is not whole.
    var digests: BlockDigests?
  }

  /// Brings the store to rest.
  ///
  /// Waits so many milliseconds for what is not due yet, such as a file that still arrives; the policy says how much time a service gets.
  /// Answers the steps that were taken, and those that wait.
  @discardableResult
  func reconcile(waiting: Int64, policy: Policy) throws -> [Action] {
    let deadline = clock.monotonic().plus(.nanoseconds(milliseconds: waiting))
    var policy = policy
    if waiting == 0 { policy.othersTime = othersTime(policy) }
    var done: [Action] = []
    // Without it nothing tells which versions and which locks there are.
    try companion.check()
    try coordinator.enter()
    // What could not be said just now is said the next time.
    try? coordinator.repeatOwnWords()
    try captureOwn()
    var (rounds, limit) = (0, Self.rounds)
    while rounds < limit {
      // Who is overtaken again and again looks while nobody else of this device can write.
      let waits = try rounds < 8 ? attempt(policy, &done) : asWriter { try step(policy, &done) }
      guard let plan = waits else {
        rounds += 1
        // Each copy takes a round of its own.
        limit = max(limit, Self.rounds + copies.entries.count)
        continue
      }
      nextLook = plan.compactMap(\.dueAt).min()
      guard let until = nextLook else { return done }
      let pause = min(max(until.milliseconds(since: now), 1), 50) * 1_000_000
      guard clock.monotonic() + pause <= deadline else { return done + plan }
      clock.sleep(nanoseconds: pause)
    }
    throw StoreError.busy(paths)
  }

  /// Captures commits of our own that wait to be captured and that nobody has written over.
  func captureOwn() throws {
    guard let live, try live.connection.hasMoved || live.isKnown && live.isUntouched() else {
      return
    }
    try captureUncaptured()
  }

  /// A step beside which another process of this device may fold a version into its next one; what is gone by then is looked for anew.
  private func attempt(_ policy: Policy, _ done: inout [Action]) throws -> [Action]? {
    do {
      return try step(policy, &done)
    } catch HistoryError.missing {
      return nil
    }
  }

  /// Looks once and takes the steps that are due; answers those that wait, or nil when it is to be looked again.
  private func step(_ policy: Policy, _ done: inout [Action]) throws -> [Action]? {
    do {
      try catchUp()
      var seen = try VersionDetector(store: self).look()
      if keepsSidesApart {
        // A merge captures what it is asked to bring in; nothing else waits for a copy.
        seen.copies = seen.copies.filter { $0.content.map(seen.graph.contains(content:)) ?? true }
      }
      let plan = Reconciler(policy: policy).plan(seen)
        .filter { !keepsSidesApart || !$0.bringsSidesTogether }
      if try !captureUnproven().isEmpty { return nil }
      try refreshRecord()
      let before = done.count
      var waits = plan.filter { $0.dueAt != nil }
      for action in plan where action.dueAt == nil {
        let taken = try perform(action)
        if taken.dueAt == nil { done.append(taken) } else { waits.append(taken) }
      }
      guard done.count == before else { return nil }
      if case .whole = seen.live { sweepLog(isAlone: seen.isAlone) }
      return waits
    } catch is LiveFileChanged {
      // What is open may be known as it was before another process of this device wrote into it.
      try captureOwn()
      if let live, try !live.isUntouched() { closeLive() }
      return nil
    }
  }

  /// How much longer the database may be missing while nobody waits for it, so that the device that wrote it last puts it back alone.
  ///
  /// Every time more, as a service that is run every few minutes takes two that were put back for a conflict, and removes both.
  private func othersTime(_ policy: Policy) -> Int64 {
    policy.graceTime << min(mended?.times ?? 0, 7)
  }

  /// Takes over a new signature of the recorded content: somebody has touched the file, or written the same bytes again.
  private func refreshRecord() throws {
    guard var known = record, let seen = liveSeen, seen.digests?.root == known.content,
      seen.signature != known.signature,
      try files.statusIfPresent(paths.database)?.signature == seen.signature
    else { return }
    known.signature = seen.signature
    try save(known)
  }

  /// Brings the store to rest now, or says what that would do.
  func reconcileReport(dryRun: Bool) throws -> ReconcileReport {
    // Who asks does not want to wait for a service that may deliver the file later.
    var policy = try self.policy()
    policy.graceTime = 0
    try refreshVersions()
    let actions: [Action]
    keptAside = []
    if dryRun {
      actions = Reconciler(policy: policy).plan(try VersionDetector(store: self).look())
    } else {
      sweepAbandoned()
      actions = try reconcile(waiting: writePatience, policy: policy)
      try publish()
    }
    letGo()
    return ReconcileReport(
      actions: actions.map(\.step), head: try versions().graph.newestHead?.id,
      quarantined: keptAside)
  }

  /// Takes a step; answers the one that was taken, or the wait that came of it.
  private func perform(_ action: Action) throws -> Action {
    switch action {
    case .publish: try publish()
    case .acknowledge(let lock): try acknowledge(lock)
    case .captureLive(let reason): try captureExternal(reason)
    case .captureCopy(let file): try captureCopy(file)
    case .remove(let file): try removeCopy(file)
    case .fold: try fold()
    case .note(let id): try noteSeen(id)
    case .store(let id, let file): try storeInFull(id, from: file)
    case .setAside(let file): try setAsideStaging(file)
    case .settle(let heads, let winner, _): try settle(heads, winner: winner)
    case .merge(let heads): return try mergeOrSettle(heads)
    case .adopt(let id): try bring(id, damage: nil)
    case .repair(let id, let reason): try bring(id, damage: reason)
    case .wait: break
    }
    return action
  }

  /// Captures what somebody else wrote into the live file; a known content that a person put back goes on from what stood there.
  private func captureExternal(_ reason: VersionReason) throws {
    let parents: [VersionID]
    do {
      parents = try origins(ofLive: reason == .restore ? .putBack : .live, openLiveFile()).parents
    } catch let error as SQLiteError {
      // Another program has begun a transaction since, or another file has come, which may be in WAL mode.
      let found = try files.statusIfPresent(paths.database)?.signature
      let isAsSeen = [liveSeen?.signature, record?.signature].contains(found)
      guard error.code == .busy && liveSeen != nil || !isAsSeen else { throw error }
      // The next look shall meet that program as well, instead of planning the same again.
      liveSeen = nil
      throw LiveFileChanged()
    }
    try asWriter {
      // What it was made from was found out for the file that was looked at.
      let file = try openLiveFile()
      guard [liveSeen?.signature, record?.signature].contains(file.signature) else {
        throw LiveFileChanged()
      }
      let modified = Timestamp(nanoseconds: try files.lstat(paths.database).mtime)
      try captureLive(reason: reason, parents: parents, modified: modified)
    }
  }

  /// Notes that the live file is a copy of a version that was known already.
  private func noteSeen(_ id: VersionID) throws {
    let before = record?.current
    try asWriter {
      let file = try openLiveFile()
      let known = record?.signature == file.signature ? record?.digests : nil
      let seen = liveSeen?.signature == file.signature ? liveSeen?.digests : nil
      // Another process may have written since the plan was made.
      guard let digests = seen ?? known, let version = try versions().graph[id],
        version.content == digests.root
      else { throw LiveFileChanged() }
      let kept = try keepingPinned(version)
      try makeDurable(version)
      try note(id, digests)
      if kept.id != id { try replaceLive(with: kept) }
    }
    tellImport(id, from: before)
    try announceHead()
  }

  /// Turns heads into one: the last writer wins, the others stay in the history.
  func settle(_ heads: [VersionID], winner: VersionID) throws {
    try asWriter {
      let listing = try versions()
      // A process that folds one version into another has both for a moment.
      guard listing.arrivedHeads.flatMap({ $0.members.map(\.id) }).sorted() == heads.sorted()
      else { throw LiveFileChanged() }
      let parents = heads.compactMap { listing.graph[$0] }
      let settled = try Version.settle(
        parents: parents, candidates: parents.filter { $0.id == winner })
      try publish()
      try companion.inside(paths.versions) { within in
        _ = try archive.through(within).write(settled, .same, into: paths.versions)
      }
      try listVersions()
      events.send(
        .settled(winner: winner, losers: parents.map(\.id).filter { $0 != winner }))
    }
  }

  /// Makes the live file equal to a version.
  func bring(_ id: VersionID, damage: String?) throws {
    guard let version = try versions().graph[id] else { return }
    let before = record?.current
    let planned = record?.signature
    if damage != nil {
      let before = mended.flatMap { $0.version == id ? $0.times : nil } ?? 0
      mended = (id, before + 1)
    }
    try asWriter {
      guard record?.signature == planned else { throw LiveFileChanged() }
      try coordinator.enter()
      // One may have come while nobody of this process was in.
      guard try lockInTheWay() == nil else { throw LiveFileChanged() }
      try replaceLive(
        with: damage == nil ? keepingPinned(version) : version, damage: damage)
    }
    if let damage {
      events.send(.repaired(id, reason: damage))
    } else {
      tellImport(id, from: before)
    }
    try announceHead()
  }

  /// Lets go for somebody else's lock and says so in this device's own file.
  private func acknowledge(_ lock: String) throws {
    letGo()
    let head = record?.current
    try coordinator.updateOwnRecord { own in
      own.acknowledged.removeAll { $0.lock == lock }
      own.acknowledged = own.acknowledged.suffix(15)
      own.acknowledged.append(.init(lock: lock, head: head, at: now))
      own.head = head
    }
  }

  /// Brings this device up to what stands in the folder before a transaction.
  ///
  /// - Throws: Why the live file cannot be used now.
  func reconcileBeforeUse(waiting: Int64) throws {
    let actions = try reconcile(waiting: waiting, policy: policy())
    try catchUp()
    let seen = try VersionDetector(store: self).look()
    if let lock = seen.lock { throw StoreError.isLocked(by: lock.lock, paths) }
    let isAwaited = actions.contains { $0.dueAt != nil }
    switch seen.live {
    case .whole(let content, _) where content == record?.content: return
    // Nothing to wait for: another process has written since, and the caller looks again.
    case .whole where !isAwaited: return
    // Replaced or written while it was looked at: the caller looks again.
    case .changing: return
    case .missing where try files.statusIfPresent(paths.database) != nil: return
    default: throw refusal(of: seen.live, isAwaited: isAwaited)
    }
  }

  /// Why the live file as it was seen cannot be used now; `isAwaited` says that a service may still bring what is missing.
  func refusal(of live: Sighting.Live, isAwaited: Bool) -> StoreError {
    switch live {
    case .missing: .missing(paths)
    case .whole where isAwaited, .doubtful where isAwaited, .writeAheadLog where isAwaited:
      .stillArriving(paths)
    case .doubtful(let why, _): .damaged(why, paths)
    case .whole, .writeAheadLog, .unreadable, .changing: .busy(paths)
    }
  }
}

extension Action {
  /// Whether it is about the sides of a conflict, which a merge that is asked for deals with itself.
  fileprivate var bringsSidesTogether: Bool {
    switch self {
    case .remove, .settle, .merge: true
    default: false
    }
  }
}
