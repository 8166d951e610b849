extension ConflictPattern {
  /// Every mark that is known, the surest first: of two rows that fit alike, the first counts.
  static let table: [ConflictPattern] = services + generic + weak + backups

  private static let services: [ConflictPattern] = [
    .init([.syncthing], role: .conflict(.strong), [".sync-conflict-{day}-{6}<-{base32}>"]),
    .init(
      [.nextcloud], role: .conflict(.strong),
      [
        " (conflicted copy <{who} >{date} {6})", "_conflict<_{who}>-{day}-{6}",
        " (case clash from {date} {6})",
      ]),
    .init([.dropbox], role: .conflict(.strong), [" (<{who}>{phrase}<{who}> {date}< {n}>< ({n})>)"]),
    .init(
      [.dropbox, .googleDrive], role: .conflict(.strong),
      [" (<{who}>{phrase}<{who}> {date} {2}_{n}.{2}.{2} {am|pm})"]),
    .init(
      [.dropbox], role: .conflict(.strong),
      [
        " ({case|unicode|unicode encoding|selective sync|normalization} conflict< {n}>)"
      ]),
    .init(
      [.maestral], role: .conflict(.strong), joints: ["'s", "’s"],
      [" (<{who} >conflicting copy< {date}>< {n}>)"]),
    .init(
      [.oneDrive], role: .conflict(.strong), isExact: true,
      ["-{DESKTOP|LAPTOP|WIN}-{computer}<-{n}>"]),
    .init([.oneDriveLinux], role: .conflict(.strong), ["-{who}-safeBackup-{4}"]),
    .init([.seafile], role: .conflict(.strong), [" (SFConflict <{who} >{date}-{2}-{2}-{2})"]),
    .init(
      [.proton], role: .conflict(.strong),
      [
        " (# {edit conflict|name clash|delete conflict|temporary renamed} <{date} >{id} #)"
      ]),
    .init(
      [.synology], role: .conflict(.strong),
      [
        "_{who}_{jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec}-{2}-{4}-{4}_<{letters}>conflict<_{n}>"
      ]),
    .init([.unison], role: .conflict(.strong), [" (conflict< #{n}>_on_{date}<_was_deleted>)"]),
    .init(
      [.resilio], role: .conflict(.strong), isRemovable: false, isExact: true, [".Conflict<{n}>"]),
    .init(
      [.rclone], role: .conflict(.strong), isExact: true,
      [".<{date}->conflict{n}", "..path{1|2}"]),
    .init([.pCloud], role: .conflict(.strong), [" [conflicted< {n}>]", " (conflicted< {n}>)"]),
    .init([.pCloud, .tahoe], role: .conflict(.strong), [".conflicted"]),
    .init([.googleDrive], role: .conflict(.strong), ["< >[conflict< {n}>]", "[conflicted< {n}>]"]),
    .init([.box], role: .conflict(.strong), [" ({address}@{address})"]),
    .init([.fileCloud], role: .conflict(.strong), ["(Conflict_{who}_{date}-{2}-{2}-{2})"]),
    .init(
      [.ctera], role: .conflict(.strong), joints: ["'s", "’s"],
      [" (edits by {who} not merged {date})", " ({who} conflict on {date})"]),
    .init([.securiSync], role: .conflict(.strong), [" (conflicted copy {date} for {who})"]),
    .init([.jungleDisk], role: .conflict(.strong), [" - Conflict {n}"]),
    .init([.cozy], role: .conflict(.strong), ["-conflict-{date}{stamp}"]),
    .init([.gitAnnex], role: .conflict(.strong), isExact: true, [".variant-{hex}"]),
  ]

  /// A word for conflict in any language and a date: some service's, though the table does not have its form.
  private static let generic: [ConflictPattern] = [
    .init(
      [.dropbox], role: .conflict(.strong), [" (<{who}>{conflict}<{who}> {date}< {n}>< ({n})>)"]),
    .init(
      [.unknown], role: .conflict(.strong),
      [
        "{ (|(| [|[}<{who}>{conflict}<{who}>{date}<{who}>{)|]}",
        "{ (|(| [|[}<{who}>{conflict}<{who}>{day}<{who}>{)|]}",
        "{ (|(| [|[}<{who}>{date}<{who}>{conflict}<{who}>{)|]}",
        "{-|_|.| - | }<{host}{-|_}>{conflict}<{letters}>< copy>{-|_|.| }{date}<{stamp}>",
        "{-|_|.| - | }<{host}{-|_}>{conflict}<{letters}>< copy>{-|_|.| }{day}<{stamp}>",
        "{-|_|.| - | }{date}{-|_|.| }{conflict}<{letters}><{n}>",
      ]),
  ]

  private static let weak: [ConflictPattern] = [
    .init([.tresorit, .googleDrive], role: .conflict(.word), ["{ (|(}conflict)"]),
    .init([.syncCom], role: .conflict(.word), ["-conflict"]),
    .init(
      [.googleDrive, .oneDrive, .iCloudDrive, .dropbox], role: .conflict(.weak),
      standsAnywhere: false, [" ({n})"]),
    .init(
      [.iCloudDrive], role: .conflict(.weak), standsAnywhere: false,
      [" {2|3|4|5|6|7|8|9}", " {1|2|3|4|5|6|7|8|9}{1}"]),
    .init([.box], role: .conflict(.weak), standsAnywhere: false, ["-copy of"]),
    .init([.rclone], role: .conflict(.word), [".path{1|2}"]),
    .init(
      [.unknown], role: .conflict(.word), standsAnywhere: false,
      ["{ (|(| [|[}<{text}>{conflict}<{text}>{)|]}", "{-|_|.| - | }<{text}>{conflict}<{text}>"]),
    .init(
      [.oneDrive, .oneDriveLinux], role: .conflict(.weak), standsAnywhere: false, ["-{host}"]),
    .init(
      [.system], role: .conflict(.weak), standsAnywhere: false,
      [
        "{ - | – | }{copy|kopie|copie|copia|cópia|kopia|kopi|копия|コピー|副本|복사본}< {n}>< ({n})>",
        "のコピー< {n}>",
      ]),
  ]

  private static let backups: [ConflictPattern] = [
    .init(
      [.system], role: .backup,
      [
        "-{backup|bak|old|new|copy|test|orig|original|draft|archive|export|import|temp|recovered|rescued|restored}<-{n}>",
        ".bak",
      ]),
    .init([.unison], role: .backup, [".unison.bak"]),
    .init([.seafile], role: .backup, [".sbak"]),
    .init([.rsync, .seafile], role: .backup, ["~"]),
  ]
}
