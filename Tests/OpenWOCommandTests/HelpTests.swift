import Testing

/// The help texts, as snapshots.
struct HelpTests {
  private static let verbs = [
    "init", "status", "edit", "sync", "lock", "unlock", "history", "show", "diff", "query",
    "undo",
    "restore",
    "conflicts", "merge", "rules", "mcp", "devices", "doctor", "web", "version", "watch", "prune",
    "recover",
    "export", "leave",
  ]

  @Test func overview() throws {
    try Stage().expect(
      """
      $ openwo
      OVERVIEW: Keeps one SQLite database safe inside a folder that a service keeps
      in sync.

      The database may be left out when OPENWO_DB is set or the working folder holds
      exactly one store. Each option has a variable: OPENWO_STATE_DIR for --state-dir.

      USAGE: openwo <verb> [<database>] [more] [<options>]

      OPTIONS OF EVERY VERB:
        --json                  Print one JSON document.
        -q, --quiet             Print nothing but errors.
        --no-pager              Do not leaf through long output with $PAGER.
        --color <when>          Colour the text. (values: auto, always, never)
        --state-dir <dir>       This device's own memory, outside synced folders.
        --device-name <name>    What others call this device.

      OPTIONS:
        --version               Show the version.
        -h, --help              Show help information.

      EVERYDAY SUBCOMMANDS:
        init                    Make a store of a database.
        status                  Say whether the database is up to date.
        edit                    Lock, run a program on the database, unlock.
        watch                   Keep the database up to date, and tell what happens.
        sync                    Look at the folder and bring the database up to date.
        web                     Show the database in a browser of this machine.

      LOCK SUBCOMMANDS:
        lock                    Take the database for editing with any program.
        unlock                  End the edit, keep it as a version, say what changed.

      LOOKING BACK SUBCOMMANDS:
        history                 List the versions, newest first.
        show                    Write out a version's database.
        diff                    Say what changed between two states.
        query                   Ask the database, or a version of it, in SQL.
        undo                    Take back what this device did last.
        restore                 Bring a version back.
        conflicts               List conflicted copies, and how conflicts were
                                settled.
        prune                   Remove the versions that are kept no longer.
        recover                 Write out what can be read of a damaged file.

      BRINGING TOGETHER SUBCOMMANDS:
        merge                   Bring two sides together, row by row.
        rules                   Say how two sides become one, or change that.

      DATA SUBCOMMANDS:
        export                  Write out the data for other programs.
        migrate                 Bring a local database into a synced folder, and back.

      ASSISTANTS SUBCOMMANDS:
        mcp                     Let an assistant look into the database, and edit it
                                safely.

      CARE SUBCOMMANDS:
        devices                 List the devices and which version each has.
        doctor                  Look for what is wrong, or will go wrong.
        leave                   End the use of openwo for a database.
        version                 Say which openwo this is.

        See 'openwo help <subcommand>' for detailed help.
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
      OVERVIEW: Take the database for editing with any program.

      Every app on this machine lets go of the database before this returns; apps on
      other devices let go when they see the lock, and the answer says which have.
      The lock lasts until it is unlocked, or until its time is over.

      examples:
        openwo lock --note 'fixing exercise names'
        openwo lock Training/openwo.sqlite --for 2h --wait 30s

      USAGE: openwo lock [<database>] [<options>]

      ARGUMENTS:
        <database>              The database; else $OPENWO_DB, else the one store in
                                the working folder.

      OPTIONS OF EVERY VERB:
        --json                  Print one JSON document.
        -q, --quiet             Print nothing but errors.
        --no-pager              Do not leaf through long output with $PAGER.
        --color <when>          Colour the text. (values: auto, always, never)
        --state-dir <dir>       This device's own memory, outside synced folders.
        --device-name <name>    What others call this device.

      OPTIONS:
        --note <text>           Why, for everybody who meets the lock.
        --wait <time>           Wait so long for others, such as 30s.
        --for <time>            Let the lock end by itself, say after 2h.
        -n, --dry-run           Say what would be done and change nothing.
        --version               Show the version.
        -h, --help              Show help information.

      EXIT STATUSES:
        0     Done, or nothing to do.
        1     Something went wrong that has no status of its own.
        10    There is no store.
        11    Somebody has the lock.
        12    Busy: a program uses the database and keeps it locked.
        13    The lock is not yours, or was ended from elsewhere.
        20    Damaged, or not a database.
        21    Made by a newer openwo, or a newer app.
        22    The folder or the file is unavailable, or may not be used.
        23    No space is left.
        64    The call makes no sense.
      $ openwo help edit
      OVERVIEW: Lock, run a program on the database, unlock.

      Runs COMMAND on this terminal while the database is locked. {} in it is the
      path of the database; a COMMAND that does not name it gets the path as its last
      word. If COMMAND returns while a program that it started has the database open,
      edit waits for that. What was edited is kept as one version and told on
      standard error. Within this device's own lock, edit works in that one. Ends
      with the program's status when that failed, and with 127 if there is no such
      program.

      examples:
        openwo edit -- sqlite3
        openwo edit Training/openwo.sqlite -- sqlitebrowser {}
        openwo edit --note 'new template' -- sqlite3 {} "UPDATE …"

      USAGE: openwo edit [<database>] [<options>] -- <command> ...

      ARGUMENTS:
        <database>              The database; else $OPENWO_DB, else the one store in
                                the working folder.
        <command>               The program to run and its words, after --.

      OPTIONS OF EVERY VERB:
        --json                  Print one JSON document.
        -q, --quiet             Print nothing but errors.
        --no-pager              Do not leaf through long output with $PAGER.
        --color <when>          Colour the text. (values: auto, always, never)
        --state-dir <dir>       This device's own memory, outside synced folders.
        --device-name <name>    What others call this device.

      OPTIONS:
        --note <text>           Why, for everybody who meets the lock.
        --wait <time>           Wait so long for others, such as 30s.
        --no-wait               End with COMMAND, whoever still has the database open.
        -n, --dry-run           Say what would be done and change nothing.
        --version               Show the version.
        -h, --help              Show help information.

      EXIT STATUSES:
        0     Done, or nothing to do.
        1     Something went wrong; any other status is the program's own.
        10    There is no store.
        11    Somebody has the lock.
        12    Busy: a program uses the database and keeps it locked.
        13    The lock is not yours, or was ended from elsewhere.
        20    Damaged, or not a database.
        21    Made by a newer openwo, or a newer app.
        22    The folder or the file is unavailable, or may not be used.
        23    No space is left.
        64    The call makes no sense.
        127   There is no such program.
      $ openwo help restore
      OVERVIEW: Bring a version back.

      Makes the database what it was, as a new version on top: nothing of the history
      is lost, and the restore itself can be undone. With --table or --row only the
      rows of one table, or one row, become what they were; triggers do not fire.

      examples:
        openwo restore @~1
        openwo restore Training/openwo.sqlite <lock-1>
        openwo restore '2h ago'
        openwo restore yesterday --table entry
        openwo restore diary.db @~3 --row entry 7

      USAGE: openwo restore [<database>] <version> [<options>]

      ARGUMENTS:
        <database>              The database; else $OPENWO_DB, else the one store in
                                the working folder.
        <version>               The beginning of an id, @ for the live version, @~2
                                for two before, or a time.

      OPTIONS OF EVERY VERB:
        --json                  Print one JSON document.
        -q, --quiet             Print nothing but errors.
        --no-pager              Do not leaf through long output with $PAGER.
        --color <when>          Colour the text. (values: auto, always, never)
        --state-dir <dir>       This device's own memory, outside synced folders.
        --device-name <name>    What others call this device.

      OPTIONS:
        --table <name>          Only the rows of this table.
        --row <row>             Only one row: a table and the key of the row, a word
                                for each column.
        --if-head <version>     Do nothing and end with 14 if another version is live.
        -n, --dry-run           Say what would be done and change nothing.
        --version               Show the version.
        -h, --help              Show help information.

      EXIT STATUSES:
        0     Done, or nothing to do.
        1     Something went wrong that has no status of its own.
        10    There is no store.
        11    Somebody has the lock.
        12    Busy: a program uses the database and keeps it locked.
        14    Another version is live than the one of --if-head.
        20    Damaged, or not a database.
        21    Made by a newer openwo, or a newer app.
        22    The folder or the file is unavailable, or may not be used.
        23    No space is left.
        64    The call makes no sense.
      $ openwo help bogus
      ! openwo: error: there is no help on bogus
      ! openwo: hint: see all verbs: openwo help
      [64]
      """)
  }
}
