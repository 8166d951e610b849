import Corpora
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

@testable import OpenWO

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A journal that is beside a database, however the two came together.
///
/// No whole database is lost, every crash is undone, a foreign or stale journal is never believed, nothing else is touched.
@Suite(.serialized)
struct JournalPairingsTests {
  private static let isLong = ProcessInfo.processInfo.environment["OPENWO_LONG"] != nil
  /// The long form has 50,000 pairings.
  private static let batches = UInt64(1)...(isLong ? 100 : 1)

  private static let allKnown = Result { try JournalPairs(knowing: JournalPairs.whole) }
  private static let fewKnown = Result { try JournalPairs(knowing: [.old, .pre]) }

  @Test func `there are 47 pairings, and the journals are as described`() throws {
    let pairs = try Self.allKnown.get()
    #expect(JournalPair.all.count == 47)
    #expect(pairs.journals[.unsynced]?.first == 0)
    for journal in [PairedJournal.spill, .commit] {
      #expect(pairs.journals[journal]?.starts(with: HostileJournal.magic) == true)
      #expect(pairs.crashed[journal] != pairs.databases[.pre])
    }
    #expect(pairs.crashed[.unsynced] == pairs.databases[.pre])
    for state in JournalPairs.whole { #expect(try pairs.isWhole(pairs.databases[state] ?? [])) }
  }

  @Test(arguments: JournalPair.all)
  func `a journal never changes a version, and a crash is undone`(pair: JournalPair) throws {
    let pairs = try Self.allKnown.get()
    let before = pairs.database(pair)
    let outcome = try pairs.open(before, beside: pairs.journals[pair.journal] ?? [])
    if JournalPairs.whole.contains(pair.database) { #expect(outcome.database == before) }
    if pair.database == .crashed { #expect(outcome.database == pairs.databases[.pre]) }
    try expectSound(pairs, before, outcome)
  }

  @Test(arguments: JournalPair.all)
  func `a journal never costs an uncaptured commit`(pair: JournalPair) throws {
    let pairs = try Self.fewKnown.get()
    let before = pairs.database(pair)
    let outcome = try pairs.open(before, beside: pairs.journals[pair.journal] ?? [])
    if pair.database == .crashed { #expect(outcome.database == pairs.databases[.pre]) }
    try expectSound(pairs, before, outcome)
  }

  @Test(arguments: batches)
  func `random pairings`(batch: UInt64) throws {
    let pairs = try Self.fewKnown.get()
    var random = SeededRandom(seed: batch)
    for number in 1...500 {
      let (before, isCrash) = try self.database(pairs, &random)
      let journal = isCrash?.journal ?? self.journal(pairs, &random)
      let outcome = try pairs.open(before, beside: journal)
      let comment: Comment = "pairing \(number) of batch \(batch)"
      if let isCrash { #expect(outcome.database == isCrash.before, comment) }
      try expectSound(pairs, before, outcome, comment)
    }
  }

  /// The rules for every pairing.
  private func expectSound(
    _ pairs: JournalPairs, _ before: [UInt8], _ outcome: JournalPairs.Outcome,
    _ comment: Comment? = nil
  ) throws {
    let after = outcome.database
    if pairs.known.contains(before) { #expect(after == before, comment) }
    if after != before {
      let isWhole = try pairs.isWhole(after)
      #expect(isWhole, comment)
      if try pairs.isWhole(before) {
        #expect(pairs.known.contains(after), "only to a version \(comment ?? "")")
        #expect(outcome.evidence.contains(before), "it is kept \(comment ?? "")")
        // Bytes after the last page are not part of a version.
        let size = DatabaseHeader.parse(before)?.contentSize(inFileOf: Int64(before.count))
        let content = Array(before.prefix(Int(size ?? Int64(before.count))))
        #expect(outcome.captured.contains(content), "it becomes a version \(comment ?? "")")
      }
    }
    let expected: Set = [
      "openwo.sqlite", "openwo.sqlite-journal", "openwo.sqlite.openwo", "precious",
    ]
    #expect(expected.isSuperset(of: outcome.names), comment)
    let precious = try pairs.place.bytes(pairs.place.folder.appending("precious"))
    #expect(precious == pairs.precious, comment)
  }
}

/// Random pairings.
extension JournalPairingsTests {
  /// The database that a crash began with, and the journal that it left.
  private typealias Crash = (before: [UInt8], journal: [UInt8])

  private func database(
    _ pairs: JournalPairs, _ random: inout SeededRandom
  ) throws -> (bytes: [UInt8], crash: Crash?) {
    let states = JournalPairs.whole.compactMap { pairs.databases[$0] }
    let one = states[random.number(0...states.count - 1)]
    let other = states[random.number(0...states.count - 1)]
    switch random.number(0...9) {
    case 0...3: return (one, nil)
    case 4: return (pairs.crashed[random.chance(0.5) ? .spill : .commit] ?? [], nil)
    case 5, 6:
      let tear = Tear.allCases[random.number(0...Tear.allCases.count - 1)]
      return (tear.tear(one, other, pageSize: 1024, with: &random) ?? one, nil)
    default:
      let pre = pairs.databases[random.chance(0.5) ? .pre : .old] ?? []
      let crash = commit(from: pre, to: other, &random)
      // Where all pages of another version have arrived, it is that version.
      let isDone = pairs.known.contains(crash.database)
      return (crash.database, isDone ? nil : (pre, crash.journal))
    }
  }

  /// A commit from a version to another state of the same page size, stopped after any page, in any order as a power failure leaves it.
  private func commit(
    from pre: [UInt8], to post: [UInt8], _ random: inout SeededRandom
  ) -> (database: [UInt8], journal: [UInt8]) {
    let isSameSize = post[16...17] == pre[16...17]
    let full = JournalPairs.commit(pre, isSameSize ? post : pre)
    guard isSameSize else { return (pre, full.journal) }
    let part = Double(random.number(0...10)) / 10
    var mix = pre
    for page in 0..<min(pre.count, post.count) / 1024 where random.chance(part) {
      let range = page * 1024..<page * 1024 + 1024
      mix.replaceSubrange(range, with: post[range])
    }
    if post.count > pre.count, random.chance(part) { mix += post[pre.count...] }
    return (mix, full.journal)
  }

  /// A journal of some crash, perhaps cut or changed, or one that nobody's transaction left.
  private func journal(_ pairs: JournalPairs, _ random: inout SeededRandom) -> [UInt8] {
    let all = PairedJournal.allCases
    guard random.chance(0.6) else { return made(pairs, &random) }
    var journal = pairs.journals[all[random.number(0...all.count - 1)]] ?? []
    if random.chance(0.3) { journal.removeLast(random.number(0...journal.count - 1)) }
    for _ in 0..<(random.chance(0.4) ? random.number(1...4) : 0) {
      let limit = random.chance(0.5) ? min(40, journal.count) : journal.count
      journal[random.number(0...limit - 1)] = UInt8(random.number(0...255))
    }
    return journal
  }

  private func made(_ pairs: JournalPairs, _ random: inout SeededRandom) -> [UInt8] {
    var journal = HostileJournal(pageSize: random.chance(0.8) ? 1024 : 2048)
    journal.pageCount = UInt32(random.chance(0.9) ? random.number(0...120) : 0x7FFF_FFFF)
    if random.chance(0.3) {
      journal.superJournal = pairs.place.folder.appending("precious").string
    }
    let states = JournalPairs.whole.compactMap { pairs.databases[$0] }
    for _ in 0..<random.number(0...30) {
      let state = states[random.number(0...states.count - 1)]
      let number = random.number(0...80)
      let page = state.dropFirst(max(number - 1, 0) * journal.pageSize).prefix(journal.pageSize)
      let missing = [UInt8](repeating: 0, count: journal.pageSize - page.count)
      journal.pages.append((UInt32(number), page + missing))
    }
    return journal.bytes
  }
}
