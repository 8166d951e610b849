import OpenWOFiles
import Synchronization
import Testing

struct ClockTests {
  @Test func `a manual clock shows the same time until it is moved`() {
    let clock = ManualClock(now: 1000)
    #expect(clock.now() == 1000 && clock.monotonic() == 0)
    clock.advance(milliseconds: 5)
    #expect(clock.now() == 1005 && clock.monotonic() == 5_000_000)
    clock.setWall(10)
    clock.advance(milliseconds: -5)
    #expect(clock.now() == 10 && clock.monotonic() == 5_000_000)
  }

  @Test func `a manual clock keeps up with another clock until it is set`() {
    let machine = ManualClock(now: 1000)
    let clock = ManualClock(now: 900, notBehind: machine)
    #expect(clock.now() == 900)
    clock.advance(milliseconds: 5)
    #expect(clock.now() == 1005 && clock.monotonic() == 105_000_000)
    clock.advance(milliseconds: 5)
    #expect(clock.now() == 1010)
    clock.setWall(10)
    clock.advance(milliseconds: 5)
    #expect(clock.now() == 15)
  }

  @Test func `sleeping on a manual clock moves it, and the clock's observer runs meanwhile`() {
    let seen = Mutex<[Int64]>([])
    let clock = ManualClock { clock in seen.withLock { $0.append(clock.monotonic()) } }
    clock.sleep(nanoseconds: 3)
    clock.sleep(nanoseconds: 4)
    #expect(seen.withLock { $0 } == [3, 7])
  }

  @Test func `the machine's clocks advance, and a sleep takes as long as asked`() {
    let clock = SystemClock()
    let start = clock.monotonic()
    clock.sleep(nanoseconds: 1_000)
    clock.sleep(nanoseconds: -1)
    #expect(clock.monotonic() - start >= 1_000)
    #expect(clock.now() > 1_700_000_000_000)
  }

  @Test func `durations are counted in nanoseconds as far as they can be`() {
    #expect(Duration.milliseconds(1500).nanoseconds == 1_500_000_000)
    #expect(Duration.milliseconds(-1500).nanoseconds == -1_500_000_000)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Duration.seconds(Int64.min).nanoseconds == .min)
  }
}
