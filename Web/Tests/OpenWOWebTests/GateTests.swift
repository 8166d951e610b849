import HTTPTypes
import OpenWOApp
import Testing

@testable import OpenWOWeb

/// Each point of the list of what the page has to refuse, and of what each answer has to bear.
struct GateTests {
  @Test func `another host than this server is refused`() async throws {
    let stage = try Stage()
    for host in ["127.0.0.1:4711", "localhost:4711", "[::1]:4711"] {
      #expect(try await stage.ask("/", host: host).status == 200, "\(host)")
    }
    for host in [
      "evil.example", "evil.example:4711", "127.0.0.1", "127.0.0.1:80", "localhost:4712", "",
    ] {
      #expect(try await stage.ask("/", host: host).status == 403, "\(host)")
    }
  }

  @Test func `another origin is refused`() async throws {
    let stage = try Stage()
    for origin in [
      "http://evil.example", "null", "https://127.0.0.1:4711", "http://localhost:4711",
      "http://127.0.0.1:4712",
    ] {
      #expect(try await stage.ask("/", [("Origin", origin)]).status == 403, "\(origin)")
      let answer = try await stage.ask(
        "/file/1/lock", method: .post, body: "head=\(try stage.head())",
        [("Origin", origin), ("X-OpenWO", "1")])
      #expect(answer.status == 403, "\(origin)")
    }
    #expect(try stage.open().status().lock == nil)
    #expect(try await stage.ask("/", [("Origin", "http://127.0.0.1:4711")]).status == 200)
  }

  @Test func `a request that the browser marks as from another site is refused`() async throws {
    let stage = try Stage()
    for site in ["cross-site", "same-site", "sideways"] {
      #expect(try await stage.ask("/", [("Sec-Fetch-Site", site)]).status == 403, "\(site)")
    }
    for site in ["same-origin", "none"] {
      #expect(try await stage.ask("/", [("Sec-Fetch-Site", site)]).status == 200, "\(site)")
    }
  }

  @Test func `a request without the cookie gets a plain page and nothing of the data`() async throws
  {
    let stage = try Stage("CREATE TABLE secret(word TEXT)")
    for path in ["/", "/file/1", "/file/1/history", "/events/file/1", "/page.js", "/privacy"] {
      let answer = try await stage.ask(path, cookie: "other=1")
      #expect(answer.status == 403, "\(path)")
      #expect(!answer.text.contains("diary") && !answer.text.contains("secret"))
    }
    let wrong = "openwo_4711=00000000000000000000000000000000"
    #expect(try await stage.ask("/", cookie: wrong).status == 403)
  }

  @Test func `the address works once and gives a strict cookie`() async throws {
    let stage = try Stage()
    let entrance = try #require(stage.site.gate.entrance)
    let path = String(entrance.dropFirst("http://127.0.0.1:4711".count))
    #expect(path.split(separator: "/").last?.count == 32)
    #expect(try await stage.ask("/enter/0000", cookie: "").status == 403)
    let first = try await stage.ask(path, cookie: "", [("Sec-Fetch-Site", "cross-site")])
    let cookie = try #require(first.headers[.setCookie])
    #expect(first.status == 200)
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(try await stage.ask(path, cookie: "").status == 403)
    #expect(stage.site.gate.entrance == nil)
    let known = String(cookie.prefix { $0 != ";" })
    #expect(try await stage.ask("/", cookie: known).status == 200)
  }

  @Test func `a change needs the header that no form can send`() async throws {
    let stage = try Stage()
    let body = "head=\(try stage.head())"
    for headers in [[], [("X-OpenWO", "0")]] {
      let answer = try await stage.ask("/file/1/lock", method: .post, body: body, headers)
      #expect(answer.status == 403)
    }
    #expect(try stage.open().status().lock == nil)
    #expect(try await stage.change("lock", body).status == 200)
    #expect(try stage.open().status().lock != nil)
  }

  @Test func `nothing changes by a request that reads`() async throws {
    let stage = try Stage()
    let head = try stage.head()
    for verb in ["lock", "unlock", "sync", "force"] {
      #expect(try await stage.ask("/file/1/\(verb)?head=\(head)").status == 404, "\(verb)")
    }
    #expect(try stage.open().status().lock == nil)
  }

  @Test func `other methods are refused`() async throws {
    let stage = try Stage()
    for method in [HTTPRequest.Method.put, .delete, .options, .patch, .trace] {
      #expect(try await stage.ask("/", method: method).status == 405, "\(method)")
    }
  }

  @Test func `a large body is refused`() async throws {
    let stage = try Stage()
    let body = "head=" + String(repeating: "a", count: 100_000)
    #expect(try await stage.change("lock", body).status == 413)
  }

  @Test func `every answer bears the headers`() async throws {
    let stage = try Stage()
    for (path, cookie) in [("/", nil), ("/page.css", nil), ("/nowhere", nil), ("/", "none=1")] {
      let headers = try await stage.ask(path, cookie: cookie).headers
      func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
      #expect(
        header("Content-Security-Policy")
          == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          + "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'")
      #expect(header("Referrer-Policy") == "no-referrer")
      #expect(header("Cache-Control") == "no-store")
      #expect(header("X-Content-Type-Options") == "nosniff")
      #expect(header("Access-Control-Allow-Origin") == nil)
    }
  }

  @Test func `no page asks for anything from outside`() async throws {
    let stage = try Stage("CREATE TABLE t(a)", "INSERT INTO t VALUES(1)")
    for path in [
      "/", "/file/1", "/file/1/history", "/file/1/doctor", "/file/1/conflicts", "/privacy",
      "/page.css",
    ] {
      let answer = try await stage.ask(path)
      #expect(answer.status == 200, "\(path)")
      #expect(!answer.text.contains("http://") && !answer.text.contains("https://"), "\(path)")
      #expect(!answer.text.contains(" style=") && !answer.text.contains(" onclick="))
    }
  }
}
