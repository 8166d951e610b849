import Testing

/// The help texts, as snapshots.
struct HelpTests {
  private static let verbs = [
    "init", "status", "edit", "sync", "lock", "unlock", "history", "show", "restore", "conflicts",
    "devices", "doctor", "version",
  ]

  @Test func overview() throws {
    try Stage().expect(
      """
      $ openwo
      openwo keeps one SQLite database safe inside a folder that a service keeps in sync

      usage: openwo VERB [DATABASE] [more] [options]

      everyday
        init        make a store of a database
        status      say how the database stands
        edit        lock, run a program on the database, unlock
        sync        look at the folder and bring the database up to date

      lock
        lock        take the database for editing with any program
        unlock      end the edit, keep it as a version, say what changed

      looking back
        history     list the versions, newest first
        show        write out a version's database
        restore     bring a version back
        conflicts   list conflicted copies, and how conflicts were settled

      care
        devices     list the devices and which version each has
        doctor      look for what is wrong, or will go wrong
        version     say which openwo this is

      DATABASE may be left out when OPENWO_DB is set or the working folder holds
      exactly one store.

      more about a verb: openwo help VERB
      """)
  }

  @Test func `help is asked for in several ways`() throws {
    let stage = try Stage()
    let overview = try stage.text("openwo help")
    for line in ["openwo", "openwo --help", "openwo -h", "openwo help --help"] {
      #expect(try stage.text(line) == overview, "\(line)")
    }
    for verb in Self.verbs {
      let help = try stage.text("openwo help \(verb)")
      #expect(try stage.text("openwo \(verb) --help") == help)
      #expect(try stage.text("openwo \(verb) -h x y --json") == help)
      #expect(overview.contains("\n  \(verb) "))
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
    }
    #expect(overview.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `the help of a verb`() throws {
    try Stage().expect(
      """
      $ openwo help lock
      openwo lock: take the database for editing with any program

      usage: openwo lock [DATABASE] [options]

      Every app on this machine lets go of the database before this returns; apps on other
      devices let go when they see the lock, and the answer says which have. The lock stands
      until it is unlocked, or until its time is over.

      options
        --note TEXT         why, for everybody who meets the lock
        --for TIME          let the lock end by itself, say after 2h
        --wait TIME         wait so long for others, such as 30s
        -n, --dry-run       say what would be done and change nothing

      options of every verb
        --json              print one JSON document
        -q, --quiet         print nothing but errors
        --state-dir DIR     this device's own memory, outside synced folders
        --device-name NAME   what others call this device
        -h, --help          show this help

      a variable stands in for each option: OPENWO_STATE_DIR for --state-dir

      examples
        openwo lock --note 'fixing exercise names'
        openwo lock Training/openwo.sqlite --for 2h --wait 30s
      $ openwo help edit
      openwo edit: lock, run a program on the database, unlock

      usage: openwo edit [DATABASE] [options] -- COMMAND…

      Runs COMMAND on this terminal while the database is locked. {} in it stands for the path
      of the database; without {} the path is appended. What was edited is kept as one version
      and told on standard error. Ends with the program's status when that failed.

      options
        --note TEXT         why, for everybody who meets the lock
        --wait TIME         wait so long for others, such as 30s
        -n, --dry-run       say what would be done and change nothing

      options of every verb
        --json              print one JSON document
        -q, --quiet         print nothing but errors
        --state-dir DIR     this device's own memory, outside synced folders
        --device-name NAME   what others call this device
        -h, --help          show this help

      a variable stands in for each option: OPENWO_STATE_DIR for --state-dir

      examples
        openwo edit -- sqlite3
        openwo edit Training/openwo.sqlite -- sqlitebrowser {}
        openwo edit --note 'new template' -- sqlite3 {} "UPDATE …"
      $ openwo help restore
      openwo restore: bring a version back

      usage: openwo restore [DATABASE] VERSION [options]

      Makes the database what it was, as a new version on top: nothing of the history is lost,
      and the restore itself can be undone.

      options
        -n, --dry-run       say what would be done and change nothing

      options of every verb
        --json              print one JSON document
        -q, --quiet         print nothing but errors
        --state-dir DIR     this device's own memory, outside synced folders
        --device-name NAME   what others call this device
        -h, --help          show this help

      a variable stands in for each option: OPENWO_STATE_DIR for --state-dir

      examples
        openwo restore @~1
        openwo restore Training/openwo.sqlite <lock-1>
        openwo restore '2h ago'
      $ openwo help bogus
      ! openwo: error: there is no verb bogus
      ! openwo: hint: see all verbs: openwo help
      [64]
      """)
  }
}
