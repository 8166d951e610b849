import Testing

@testable import OpenWOApp

/// An app says "Synced" only after a look at the folder that understood all of it.
struct ProofTests {
  @Test func `a state that was computed earlier does not replace a later one`() async {
    func state(_ status: SyncState.Status) -> SyncState {
      SyncState(
        activeStore: .synced, syncEnabled: true, availability: .available, network: .unknown,
        status: status)
    }
    let board = SyncBoard()
    // The inner call stands for another thread that computes and tells meanwhile.
    let told = board.current {
      board.current { state(.synced) }
      return state(.syncing)
    }
    #expect(board.last.status == .synced && told.status == .synced)
    var states = board.listen().makeAsyncIterator()
    #expect(await states.next()?.status == .synced)
  }
}
