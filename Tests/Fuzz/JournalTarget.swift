import Corpora
import Foundation
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

@testable import OpenWO

/// The guard's judgement of a journal beside a database, with the triage of a real store.
///
/// The first byte chooses the database, the second whether the rest is a journal or says how one is to be made.
enum JournalTarget {
  private static let stage = try? JournalStage()

  static func run(_ input: [UInt8]) {
    guard let stage else { fatalError("there is no room for a store") }
    var reader = InputReader(input)
    let place = reader.choice(stage.databases.count)
    let isMade = reader.chance(96)
    let journal = isMade ? made(&reader, stage) : reader.takeAll()
    do {
      try stage.play(place, journal)
    } catch {
      fatalError("the stage itself failed: \(error)")
    }
  }

  /// A journal whose checksums are right.
  private static func made(_ reader: inout InputReader, _ stage: JournalStage) -> [UInt8] {
    var journal = HostileJournal(pageSize: 512 << reader.choice(2))
    journal.pageCount = [0, 1, 2, 8, 30, 4000, 0xFFFF_FFFF][reader.choice(7)]
    let names = [nil, stage.precious.string, "", stage.paths.database.string]
    journal.superJournal = names[reader.choice(names.count)]
    while !reader.isAtEnd, journal.pages.count < 40 {
      let source = stage.databases[reader.choice(stage.databases.count)].bytes
      let number = reader.choice(40)
      let from = reader.chance(240) ? number : reader.choice(40)
      let content = source.dropFirst(max(from - 1, 0) * journal.pageSize).prefix(journal.pageSize)
      let missing = [UInt8](repeating: 0, count: journal.pageSize - content.count)
      journal.pages.append((UInt32(number), content + missing))
    }
    return journal.bytes
  }

  static func seeds() throws -> [[UInt8]] {
    let stage = try JournalStage()
    var seeds: [[UInt8]] = []
    for place in stage.databases.indices {
      for journal in stage.journals { seeds.append([UInt8(place), 255] + journal) }
      seeds.append([UInt8(place), 0, 0, 4, 1] + (0..<30).flatMap { [1, $0, 0] })
    }
    return seeds
  }
}
