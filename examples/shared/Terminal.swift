import ArgumentParser
public import OpenWOApp
public import SystemPackage

/// The terminal, used as the screen of an app.
public struct Terminal: Sendable {
  private let program: String
  private let profile: AppProfile
  /// The language of the person.
  public let language: Language
  /// What the person can press after an error.
  public var buttons: Buttons

  /// Takes the program's name, which precedes every message that nobody asked for.
  public init(_ program: String, _ profile: AppProfile, _ language: Language) {
    (self.program, self.profile, self.language) = (program, profile, language)
    buttons = Buttons(language)
  }

  /// The texts about syncing, in the person's language.
  public var texts: Catalogue { Catalogue(language, profile.wording) }

  /// Opens the app's store for one task, and closes it; if that fails, ends the program with status
  /// 1 and a message.
  public func run(
    _ places: AppPlaces, _ body: (AppStore) async throws -> Void
  ) async throws {
    let app: AppStore
    do {
      app = try await AppStore.open(profile, places)
    } catch {
      note((error as? StoreError).map(texts.message) ?? "\(error)")
      throw ExitCode(1)
    }
    let isDone = await isDone(body, app)
    if profile.display != .nothing, let report = await app.attachment() {
      texts.attached(report).map(note)
    }
    // Also after a mistake: a store that is left open leaves its temporary files behind.
    try? await app.close()
    if !isDone { throw ExitCode(1) }
  }

  /// Does the task, again after each error that the person finds a way out of.
  private func isDone(_ body: (AppStore) async throws -> Void, _ app: AppStore) async -> Bool {
    do {
      repeat {
        do {
          try await body(app)
          return true
        } catch let error as StoreError {
          note(await app.explain(error, language))
          guard try await buttons.offer(after: error, texts, app, say: note) else { return false }
        }
      } while true
    } catch let mistake as Mistake {
      note(mistake.words[language])
    } catch {
      note(await app.explain(error, language))
    }
    return false
  }

  /// Says what was asked for.
  public func line(_ text: String) { Self.write(text, to: .standardOutput) }

  /// Says what was asked for, in the person's language.
  public func line(_ text: Translated) { line(text[language]) }

  /// Says something that is not what was asked for.
  public func note(_ text: String) { Self.write("\(program): \(text)", to: .standardError) }

  /// Writes a line at once, and without what could steer the terminal: rows may come from anywhere.
  public static func write(_ text: String, to output: FileDescriptor) {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      shown.append(scalar.properties.generalCategory == .control ? "?" : scalar)
    }
    // Continue if the terminal is closed: the data matters, not the line.
    _ = try? output.writeAll("\(String(shown))\n".utf8)
  }

  /// Shows the section of the settings that is about syncing.
  public func show(_ state: SyncState) {
    for row in SyncSection(state, profile, language).rows {
      line(row.value.map { "\(row.title): \($0)" } ?? row.title)
    }
  }

  /// Says what must not be overlooked, whatever was asked for.
  public func warn(_ state: SyncState) { warnings(state).forEach(note) }

  /// A full folder, an edit elsewhere, and rows of this device that are not in the data that is shown.
  public func warnings(_ state: SyncState) -> [String] {
    var words: [String] = []
    if state.lastError == .quotaExceeded { words.append(texts[.quotaExceeded]) }
    if let device = state.lockedBy { words.append(texts.being(editedOn: device)) }
    if state.hasChangesToAdd { words.append(texts[.changesToAdd]) }
    if state.setAside > 0 {
      words.append("\(texts.setAside(state.setAside)) \(program) bring-in")
    }
    return words
  }
}
