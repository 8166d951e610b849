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

  /// Binds units of UTF-16 as text; a database with the same encoding stores them unchanged.
  package func bind(utf16 units: UnsafeRawBufferPointer, isLittleEndian: Bool) throws {
    try check(
      openwo_bind_text16(handle, index, units.baseAddress, Int64(units.count), isLittleEndian))
  }

  /// How the main database stores text, as at offset 56 of its header: 1 for UTF-8, 2 for UTF-16 in
  /// little-endian order, 3 in big-endian order.
  package var textEncoding: UInt8 { UInt8(openwo_text_encoding(handle)) }

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
