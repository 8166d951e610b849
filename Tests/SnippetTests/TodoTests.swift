import OpenWOTesting
import Testing

// snippet: the test of the tutorial
struct TodoTests {
  @Test func `what one device adds is on the other one`() async throws {
    let devices = try TestDevices()
    try await devices.on("phone", .todo) { try await TodoList(app: $0).add("milk") }
    try devices.service.carry()
    let titles = try await devices.on("mac", .todo) { app in
      try await TodoList(app: app).all().map(\.title)
    }
    #expect(titles == ["milk"])
  }

  @Test func `two devices that write apart keep both changes`() async throws {
    let devices = try TestDevices()
    try await devices.on("phone", .todo) { try await TodoList(app: $0).add("milk") }
    try devices.service.carry()
    try await devices.on("phone", .todo) { try await TodoList(app: $0).add("bread") }
    try await devices.on("mac", .todo) { try await TodoList(app: $0).finish("milk") }
    try devices.service.carry()
    try await devices.on("mac", .todo) { _ in }
    try devices.service.carry()
    for device in ["phone", "mac"] {
      let todos = try await devices.on(device, .todo) { try await TodoList(app: $0).all() }
      #expect(todos.map(\.title) == ["milk", "bread"])
      #expect(todos.map(\.isDone) == [true, false])
    }
  }
}
// end
