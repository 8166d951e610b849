// snippet: the main file of the tutorial
import OpenWOApp

// hidden
enum TodoMain {
  static func run() async throws {
    // shown
    let app = try await AppStore.open(.todo)
    let list = TodoList(app: app)
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.first {
      case "add": try await list.add(words[1])
      case "finish": try await list.finish(words[1])
      case "watch": for try await todos in app.database.values(TodoList.query) { show(todos) }
      default: show(try await list.all())
      }
    } catch let error as StoreError {
      let texts = Catalogue(.en)
      print(texts.message(for: error))
      for choice in texts.choices(for: error) { print("- \(choice.text)") }
    }
    try await app.close()

    func show(_ todos: [Todo]) {
      for todo in todos { print(todo.isDone ? "✓" : "·", todo.title) }
      print("")
    }
    // end
  }
}
