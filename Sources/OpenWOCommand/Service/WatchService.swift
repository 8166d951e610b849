import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// A user's service that runs `openwo watch` on one database.
struct WatchService {
  /// The program and its words.
  let words: [String]
  /// The name of the database.
  let database: String
  /// Which manager it is for.
  let manager: ServiceManager

  /// A name that no other database's service has.
  var name: String {
    let path = Digest(hashing: Array(words.joined(separator: "\0").utf8)).hex.prefix(8)
    let plain = database.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
    return "openwo-watch-\(String(plain))-\(path)"
  }

  /// The path of the file, in the user's folder for services.
  func path(home: FilePath, configuration: FilePath?) -> FilePath {
    switch manager {
    case .systemd:
      (configuration ?? home.appending(".config")).appending(FilePath("systemd/user").components)
        .appending("\(name).service")
    case .launchd:
      home.appending(FilePath("Library/LaunchAgents").components).appending("\(name).plist")
    }
  }

  /// The content of the file.
  var text: String {
    switch manager {
    case .systemd: systemdUnit
    case .launchd: launchAgent
    }
  }

  /// The command that starts it, now and at each login.
  func start(_ path: FilePath) -> String {
    switch manager {
    case .systemd: "systemctl --user enable --now \(name).service"
    case .launchd: "launchctl bootstrap gui/$(id -u) \(path.shellName)"
    }
  }

  /// The command that ends it for good.
  var stop: String {
    switch manager {
    case .systemd: "systemctl --user disable --now \(name).service"
    case .launchd: "launchctl bootout gui/$(id -u)/\(name)"
    }
  }

  private var systemdUnit: String {
    """
    [Unit]
    Description=openwo keeps \(Self.systemdText(database)) up to date
    Documentation=man:openwo-watch(1)

    [Service]
    ExecStart=\(words.map(Self.systemdWord).joined(separator: " "))
    Restart=on-failure
    RestartSec=30
    # No store, damaged, made by a newer version, called wrongly: trying again does not help.
    RestartPreventExitStatus=10 20 21 64
    Nice=10
    NoNewPrivileges=yes

    [Install]
    WantedBy=default.target

    """
  }

  private var launchAgent: String {
    let arguments = words.map { "    <string>\(Self.xml($0))</string>\n" }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(name)</string>
        <key>ProgramArguments</key>
        <array>
      \(arguments)  </array>
        <key>RunAtLoad</key>
        <true/>
        <key>KeepAlive</key>
        <dict>
          <key>SuccessfulExit</key>
          <false/>
        </dict>
        <key>ThrottleInterval</key>
        <integer>30</integer>
        <key>ProcessType</key>
        <string>Background</string>
      </dict>
      </plist>

      """
  }

  /// A word as a unit file has it: `%` and `$` would mean something else.
  private static func systemdWord(_ word: String) -> String {
    let text = systemdText(word).map { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "$": "$$"
      default: String(character)
      }
    }
    return "\"" + text.joined() + "\""
  }

  private static func systemdText(_ text: String) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  private static func xml(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
  }
}
