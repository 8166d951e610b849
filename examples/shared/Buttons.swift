import Foundation
public import OpenWOApp
import SystemPackage

/// The ways out of an error, as a terminal shows them: numbered, for the person to press one.
public struct Buttons: Sendable {
  /// Which of the labels the person presses; nil: none.
  private let press: @Sendable ([String]) -> Int?
  private let isShown: Bool

  /// Buttons that are pressed by something else than a keyboard, such as a test.
  public init(press: @escaping @Sendable ([String]) -> Int?) {
    (self.press, isShown) = (press, true)
  }

  /// Buttons of a person at the keyboard; nobody is asked if a program reads what is printed.
  public init(_ language: Language) {
    isShown = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    press = { labels in
      for (index, label) in labels.enumerated() {
        Terminal.write("  \(index + 1)  \(label)", to: .standardError)
      }
      let question = language == .ja ? "番号（Enterで終了）：" : "a number, or Enter to end:"
      Terminal.write(question, to: .standardError)
      return readLine().flatMap { Int($0) }.map { $0 - 1 }
    }
  }

  /// Shows the ways out of an error and takes the one that the person chooses; returns whether the
  /// task is to begin again.
  ///
  /// What the person has to do outside the app is said; what needs a screen that this app lacks is
  /// left out.
  ///
  /// - Throws: ``/OpenWO/StoreError`` of the way out, if that fails.
  public func offer(
    after error: any Error, _ texts: Catalogue, _ app: AppStore, say: (String) -> Void
  ) async throws -> Bool {
    guard isShown, error is StoreError else { return false }
    let choices = texts.choices(for: error)
    choices.filter { $0.performer == .person }.forEach { say($0.text) }
    let mayBeThere = isPerhapsDone(error)
    // Looking again would be the task again, and a write would be there twice.
    let buttons = choices.filter { $0.isButton && !(mayBeThere && $0.performer != .store) }
    guard !buttons.isEmpty, let pressed = press(buttons.map(\.text)),
      buttons.indices.contains(pressed)
    else { return false }
    let remedy = buttons[pressed].remedy
    _ = try await app.perform(remedy)
    return !mayBeThere
  }

  /// Whether what the task wrote may be in the database, or in a version, although it failed.
  private func isPerhapsDone(_ error: any Error) -> Bool {
    (error as? StoreError).map { [.inDoubt, .setAside].contains($0.code) } ?? false
  }
}

extension RemedyChoice {
  /// Whether an app with nothing but a terminal can do it: the store does, or the same task again.
  fileprivate var isButton: Bool {
    performer == .store || remedy == .tryAgain || remedy == .lookAgain
  }
}
