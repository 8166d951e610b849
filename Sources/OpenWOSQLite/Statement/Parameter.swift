public import OpenWOCSQLite

/// One parameter of a prepared statement.
@frozen
public struct Parameter {
  @usableFromInline let handle: OpaquePointer
  @usableFromInline let index: Int32
  // Not counted: the statement outlives the call that binds its parameters.
  @usableFromInline let statement: Unmanaged<Statement>

  @inlinable
  init(_ statement: Statement, _ index: Int32) {
    self.handle = statement.handle
    self.index = index
    self.statement = .passUnretained(statement)
  }

  /// Binds bytes as text unchanged; they should be valid UTF-8, but this is not checked.
  @inlinable @inline(__always)
  public func bind(text: UnsafeBufferPointer<UInt8>) throws {
    let kept = keep(UnsafeRawBufferPointer(text))
    try check(
      openwo_bind_text(
        handle, index, kept ?? UnsafeRawPointer(text.baseAddress), Int64(text.count), kept != nil))
  }

  /// Binds bytes as a blob.
  @inlinable @inline(__always)
  public func bind(blob: UnsafeBufferPointer<UInt8>) throws {
    let kept = keep(UnsafeRawBufferPointer(blob))
    try check(
      openwo_bind_blob(
        handle, index, kept ?? UnsafeRawPointer(blob.baseAddress), Int64(blob.count), kept != nil))
  }

  @inlinable @inline(__always)
  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    statement._withUnsafeGuaranteedRef { $0.keep(bytes) }
  }

  @inlinable @inline(__always)
  func check(_ result: Int32) throws {
    if result != SQLITE_OK { throw statement._withUnsafeGuaranteedRef { $0.failure(result) } }
  }
}
