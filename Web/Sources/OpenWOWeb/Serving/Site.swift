import HTTPTypes
import Hummingbird
import OpenWOApp
import Synchronization
import SystemPackage

/// All pages: finds out what a request is about and who answers it.
final class Site: Sendable {
  let gate = Gate()
  let options: WebOptions
  let differences = DifferenceCache()
  let stores = OpenStores()
  private let probe = PatientProbe()
  private let marks = PatientLooks<String>()
  private let lastAsked = Mutex(ContinuousClock.now)

  init(_ options: WebOptions) {
    self.options = options
  }

  /// The apps of this device; a folder that hangs makes nobody wait.
  var apps: [KnownApp] { KnownApp.all(options.configuration, probe: probe) }

  /// How long nobody has asked for anything.
  var idleTime: Duration { lastAsked.withLock { $0.duration(to: .now) } }

  /// Answers a request, whatever becomes of it.
  func respond(to request: Request) async -> Response {
    if let refusal = gate.refusal(of: request) {
      return gate.sealed(refused(refusal, voice(request)))
    }
    lastAsked.withLock { $0 = .now }
    var reply = await answer(request)
    let questions = Fields(request.uri.query ?? "")
    if let language = questions["lang"].flatMap(Language.init(rawValue:)) {
      reply.headers.append(
        (.setCookie, "openwo_lang=\(language.rawValue); Path=/; SameSite=Strict; Max-Age=31536000"))
    }
    return gate.sealed(reply)
  }

  private func answer(_ request: Request) async -> Reply {
    let path = request.uri.path.split(separator: "/").compactMap { Address.decoded($0) }
    let voice = voice(request)
    if request.method == .post { return await change(request, path, voice) }
    let fields = Fields(request.uri.query ?? "")
    switch path.first {
    case "enter": return enter(path.dropFirst().first ?? "", voice)
    case "page.css": return Reply(PackageResources.page_css, kind: "text/css; charset=utf-8")
    case "page.js":
      return Reply(PackageResources.page_js, kind: "text/javascript; charset=utf-8")
    case "icon.svg": return Reply(PackageResources.icon_svg, kind: "image/svg+xml")
    case "events": return events(Array(path.dropFirst()), fields)
    case "privacy": return Reply(Page(voice, self).privacy)
    case nil:
      return await offCaller { [self] in
        let events = follow(["all"])
        return Reply(SettingsPage(site: self, voice: voice, events: events).node)
      }
    case "app" where path.count == 3 && path[2] == "export":
      guard let app = app(path[1]), app.description.display != "nothing" else {
        return notFound(voice)
      }
      return await offCaller { [self] in AppExporting(app: app, voice: voice, site: self).reply }
    case "app" where path.count == 2:
      return await offCaller { [self] in
        let events = follow(path)
        guard let app = app(path[1]) else { return notFound(voice) }
        return Reply(AppPage(app: app, voice: voice, site: self, events: events).node)
      }
    default:
      guard let (file, rest) = file(path) else { return notFound(voice) }
      return await offCaller { [self] in
        let answer = StoreAnswer(site: self, voice: voice, file: file, events: follow(file.base))
        return answer.page(rest, fields)
      }
    }
  }

  private func change(_ request: Request, _ path: [String], _ voice: Voice) async -> Reply {
    var request = request
    guard let buffer = try? await request.collectBody(upTo: 64 << 10) else {
      return Reply(
        tag("p", [:], voice.say("That is too much.", "大きすぎます。")), status: .contentTooLarge,
        isPiece: true)
    }
    let fields = Fields(String(buffer: buffer))
    if path.first == "app", path.count == 3, let app = app(path[1]),
      let reply = await offCaller({ [self] in
        AppChange(app: app, site: self, voice: voice).reply(path[2], fields)
      })
    {
      return reply
    }
    guard let (file, rest) = file(path), let verb = rest.first else { return notFound(voice) }
    return await offCaller { [self] in
      StoreAnswer(site: self, voice: voice, file: file).change(verb, fields)
    }
  }
}

/// The parts of an answer that belong to no store.
extension Site {
  /// The language and the time of a request.
  func voice(_ request: Request) -> Voice {
    let asked = Fields(request.uri.query ?? "")["lang"].flatMap(Language.init(rawValue:))
    let kept = request.cookies["openwo_lang"].flatMap { Language(rawValue: $0.value) }
    let accepted = request.headers[.acceptLanguage].map { list in
      Language(
        locale: list.split(separator: ",").first.map { $0.drop { $0 == " " } }.map(String.init))
    }
    let language = asked ?? kept ?? options.language ?? accepted ?? .ofSurroundings
    return Voice(language: language, now: .now)
  }

  private func enter(_ token: String, _ voice: Voice) -> Reply {
    guard let cookie = gate.admit(token) else { return refused(.noCookie, voice) }
    // A page and no redirection: a browser that came from elsewhere sends the cookie only with what this page asks for.
    var reply = Reply(Page(voice, self).entrance(to: landing))
    reply.headers.append((.setCookie, cookie))
    return reply
  }

  /// The page to begin with.
  private var landing: Address {
    if let app = options.app { return Address(["app", app]) }
    return options.files.isEmpty ? Address([]) : Address(["file", "1"])
  }

  private func refused(_ refusal: Gate.Refusal, _ voice: Voice) -> Reply {
    let status: HTTPResponse.Status = refusal == .method ? .methodNotAllowed : .forbidden
    return Reply(Page(voice, self).refusal(refusal), status: status)
  }

  func notFound(_ voice: Voice) -> Reply {
    Reply(Page(voice, self).missing, status: .notFound)
  }

  /// The store that an address begins with, and the rest of the address.
  private func file(_ path: [String]) -> (StoreFile, [String])? {
    guard path.count > 1 else { return nil }
    switch path[0] {
    case "file":
      guard let number = Int(path[1]), options.files.indices.contains(number - 1) else {
        return nil
      }
      let file = StoreFile(base: ["file", path[1]], path: options.files[number - 1], options)
      return (file, Array(path.dropFirst(2)))
    case "app":
      guard let app = app(path[1]), app.description.display != "nothing",
        let synced = app.description.syncedFile
      else { return nil }
      var file = StoreFile(base: ["app", path[1]], path: FilePath(synced), options)
      // What is merged here goes by the app's own rules.
      file.configuration.mergeRules = app.mergeRules
      // The app's own settings are at its address; its file's overview is beside its history.
      return (file, path.dropFirst(2).filter { $0 != "file" })
    default: return nil
    }
  }

  /// The app of this device with a name.
  private func app(_ name: String) -> KnownApp? {
    apps.first { $0.name == name }
  }

  /// The files and folders that a page shows: of one store, of an app, or of all.
  private func watched(_ path: [String]) -> [String] {
    let folders = apps.flatMap(\.watched)
    switch path.first {
    case "all":
      let files = options.files.indices.map { file(["file", "\($0 + 1)"])?.0 }
      return folders + files.flatMap { $0?.watched ?? [] }
    case "app": return folders
    default: return file(path)?.0.watched ?? []
    }
  }

  /// The address at which a page is told of changes, from this moment on: asked for before the page is made.
  private func follow(_ path: [String]) -> Address {
    let mark = marks.look(at: path.joined(separator: "/")) { [self] in
      LiveStream.mark(of: watched(path))
    }
    return Address(["events"] + path, [("shown", mark.found)])
  }

  private func events(_ path: [String], _ fields: Fields) -> Reply {
    let stream = LiveStream(watched: watched(path), shown: fields["shown"])
    return Reply(stream: stream.body, kind: LiveStream.kind)
  }
}

extension Timestamp {
  /// This moment.
  static var now: Timestamp {
    let now = ContinuousMoment.milliseconds
    return Timestamp(milliseconds: now)
  }
}

extension Language {
  /// The language of the variables that this process was started with.
  static var ofSurroundings: Language {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    return Language(locale: names.lazy.compactMap { Surroundings[$0] }.first)
  }
}
