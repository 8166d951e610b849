public import Observation
public import OpenWO

/// A query whose newest value is on the screen: SwiftUI and others follow it by `Observable`.
///
/// ```swift
/// @MainActor
/// final class ExerciseModel {
///   let names: ObservedQuery<[String]>
///
///   init(_ app: AppStore) {
///     names = ObservedQuery(app.database) { db in
///       try db.rows("SELECT name FROM exercise ORDER BY name") { try $0.get(0) as String }
///     }
///   }
/// }
/// ```
///
/// It observes from its creation until it is released; the value changes on the main actor.
@MainActor @Observable
public final class ObservedQuery<Value: Sendable & Equatable> {
  /// The newest value; nil until the first one has been read.
  public private(set) var value: Value?
  /// Why the query or the store could not be read; no value follows then.
  public private(set) var error: (any Error)?
  @ObservationIgnored private var observing: Observing?

  /// Begins to observe a query, as `SyncedDatabase.values` does.
  public init(
    _ database: SyncedDatabase, _ query: @escaping @Sendable (Connection) throws -> Value
  ) {
    let values = database.values(query)
    observing = Observing(
      Task { [weak self] in
        do {
          for try await value in values {
            guard let self else { return }
            self.value = value
          }
        } catch {
          self?.error = error
        }
      })
  }
}

/// A task that ends with its owner.
private final class Observing: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
