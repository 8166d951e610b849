"""What has to be so on the page, each story on a store of its own."""

import datetime
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import conflicts
import moments
import pins
import scale
import states
from surroundings import until

PAGES = ["/", "/privacy", "/file/1", "/file/1/history", "/file/1/find?kind=deleted", "/file/1/conflicts", "/file/1/doctor"]


def all_for(browser):
    places = [globals(), *(vars(module) for module in [conflicts, moments, pins, scale, states])]
    stories = [value for place in places for name, value in place.items() if name.startswith("check_")]
    return stories if browser == "chromium" else [s for s in stories if s in IN_BOTH]


def with_history(world):
    world.edit("new machine", "INSERT INTO exercise VALUES(5,'Leg press','legs','<img src=x onerror=\"window.hit=1\">')")
    world.edit("spelling", "UPDATE exercise SET note='Keep the back straight and go to parallel.' WHERE id=1;"
                           "UPDATE session SET photo=x'89504E470D0A1A0A0000000D49484452' WHERE id=3")
    world.edit("tidied up", "DELETE FROM exercise WHERE id=4; DELETE FROM session WHERE id IN (5,6,7)")
    world.openwo("sync", device="phone")
    world.edit("from the phone", "INSERT INTO session VALUES(41,'2026-11-27',2,80,NULL)", device="phone")
    world.openwo("sync")


def names(world):
    return world.sql("SELECT group_concat(name, ',') FROM (SELECT name FROM exercise ORDER BY id)")


def check_a_deleted_row_is_found_and_comes_back(world):
    with_history(world)
    world.open()
    world.photograph("overview")
    world.browser.find_element(By.ID, "q").send_keys("pulldown")
    world.press("Find", "button")
    world.sees("Lat pulldown")
    world.photograph("find", height=700)
    world.press("Bring back…")
    world.sees("Bring back this row of exercise?")
    world.photograph("bring-back", height=600)
    world.press("Bring back", "button")
    world.sees("Brought back the row of exercise.")
    assert "Lat pulldown" in names(world), names(world)
    assert world.sql("SELECT count(*) FROM session WHERE id IN (5,6,7)") == "0", "only that row"
    world.press("Undo", "button")
    world.sees("Taken back.")
    assert "Lat pulldown" not in names(world), names(world)


def check_the_keyboard_alone_does_it(world):
    with_history(world)
    world.open()
    active = lambda: world.browser.switch_to.active_element  # noqa: E731

    def tab_to(words):
        for _ in range(80):
            active().send_keys(Keys.TAB)
            node = active()
            if words in (node.text or "") or words == node.get_attribute("id"):
                outline = node.value_of_css_property("outline-style")
                assert outline != "none", f"{words} shows that it has the focus"
                return node
        raise AssertionError(f"no tab leads to {words}")

    tab_to("q").send_keys("pulldown", Keys.ENTER)
    world.sees("Lat pulldown")
    tab_to("Bring back…").send_keys(Keys.ENTER)
    world.sees("Bring back this row of exercise?")
    until(lambda: world.browser.find_element(By.CSS_SELECTOR, ".decide button").is_enabled())
    tab_to("Bring back").send_keys(Keys.SPACE)
    world.sees("Brought back the row of exercise.")
    assert "Lat pulldown" in names(world)


def check_what_changed_is_shown_row_by_row(world):
    with_history(world)
    world.open()
    world.go("/file/1/history")
    world.photograph("history", height=1000)
    newest = world.browser.find_elements(By.CSS_SELECTOR, ".timeline > li")
    assert len(newest) == 5, len(newest)
    links = {node.text: node for node in newest[2].find_elements(By.TAG_NAME, "a")}
    links["What changed"].click()
    world.sees("≠ Changed")
    world.photograph("diff", height=1100)
    marked = [node.text for node in world.browser.find_elements(By.CSS_SELECTOR, "del, ins")]
    assert marked, "what differs within a text is marked"
    assert "PNG" in world.text()


def check_hostile_text_stays_text(world):
    with_history(world)
    world.edit("<script>window.hit=1</script>", 'CREATE TABLE "<svg onload=window.hit=1>"(a); INSERT INTO "<svg onload=window.hit=1>" VALUES(1)')
    world.open()
    for page in PAGES + ["/file/1/find"]:
        world.go(page)
        time.sleep(0.2)
        assert world.browser.execute_script("return window.hit") is None, page
    world.sees("<img src=x onerror=")
    world.go("/file/1/history")
    world.sees("<script>window.hit=1</script>")


def check_axe_finds_nothing_in_both_languages(world):
    with_history(world)
    world.openwo("lock", "--note", "fixing names", device="phone")
    world.open()
    for language in ["en", "ja"]:
        for page in PAGES:
            world.go(page + ("&" if "?" in page else "?") + f"lang={language}")
            found = world.violations()
            assert not found, f"{page} {language}: {found}"
            assert world.browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == language
    world.openwo("unlock", device="phone")
    versions = re.findall(r"restore\?version=[0-9a-f]+", page_source(world, "/file/1/history?lang=en"))
    for page in [f"/file/1/{versions[0]}", f"/file/1/{versions[0]}&table=exercise&key=4", "/file/1/row?table=exercise&key=1"]:
        world.go(page)
        assert not world.violations(), f"{page}: {world.violations()}"


def page_source(world, page):
    world.go(page)
    return world.browser.page_source


def check_dark_and_narrow(world):
    with_history(world)
    world.open()
    world.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    try:
        for page in PAGES:
            world.browser.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 700, "deviceScaleFactor": 1, "mobile": True})
            world.go(page + ("&" if "?" in page else "?") + "lang=ja")
            wide = world.browser.execute_script("return document.documentElement.scrollWidth")
            assert wide <= 320, f"{page} is {wide} wide"
            found = world.violations()
            assert not found, f"{page}: {found}"
        world.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 1400, "deviceScaleFactor": 1, "mobile": True})
        world.go("/file/1?lang=ja")
        time.sleep(0.3)
        world.browser.save_screenshot(str(world.screenshots / "phone-dark-ja.png"))
    finally:
        world.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        world.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_a_lock_elsewhere_is_seen_within_two_seconds(world):
    with_history(world)
    world.open()
    world.openwo("lock", "--note", "fixing names", device="phone")
    start = time.monotonic()
    world.sees("is editing since")
    # Two seconds on a machine that has nothing else to do.
    print(f"   the lock was seen after {time.monotonic() - start:.1f} s")
    world.sees("fixing names")
    world.photograph("locked-elsewhere", height=700)
    versions = re.findall(r"restore\?version=[0-9a-f]+", page_source(world, "/file/1/history"))
    world.go("/file/1/" + versions[0])
    button = world.browser.find_element(By.CSS_SELECTOR, ".decide button")
    time.sleep(0.5)
    assert not button.is_enabled(), "nothing is brought back under a lock"
    world.sees("Locked on phone")
    world.openwo("unlock", device="phone")
    world.sees_no("Locked on phone")
    until(lambda: world.browser.find_element(By.CSS_SELECTOR, ".decide button").is_enabled())


def check_a_person_locks_edits_and_unlocks(world):
    world.open()
    world.browser.find_element(By.ID, "note").send_keys("by hand")
    world.press("Lock", "button")
    world.sees("Locked for editing. Unlock when you are done.")
    world.sees("sqlite3 '")
    world.sql("UPDATE exercise SET name='Deep squat' WHERE id=1")
    world.press("Unlock", "button")
    world.sees("The edit is kept as one version.")
    world.sees("~1 changed")
    world.press("Undo", "button")
    world.sees("Taken back.")
    assert names(world).startswith("Squat"), names(world)
    world.press("Lock", "button")
    world.sees("Locked for editing. Unlock when you are done.")
    world.sql("DELETE FROM exercise")
    world.press("Discard the edit", "button")
    world.press("Press again", "button")
    world.sees("the edit is discarded")
    assert names(world).startswith("Squat"), names(world)
    world.press("Bring the edit back", "button")
    world.sees("Taken back.")
    assert names(world) == "", names(world)


def check_two_pages_do_not_undo_each_other(world):
    with_history(world)
    world.open()
    versions = re.findall(r"restore\?version=[0-9a-f]+", page_source(world, "/file/1/history"))
    world.go("/file/1/" + versions[-1])
    until(lambda: world.browser.find_element(By.CSS_SELECTOR, ".decide button").is_enabled())
    # Nothing tells this page, as if its stream were late; the answer does.
    world.browser.execute_script("document.querySelector('.decide').removeAttribute('data-live')")
    world.edit("meanwhile", "UPDATE exercise SET muscle='all' WHERE id=1")
    world.press("Bring back", ".decide button")
    world.sees("Something newer came meanwhile")
    assert world.sql("SELECT muscle FROM exercise WHERE id=1") == "all"


def check_two_sides_are_brought_together(world):
    world.openwo("sync", device="phone")
    copy = world.database.with_name("diary (conflicted copy 2026-11-27).sqlite")
    copy.write_bytes(world.database.read_bytes())
    subprocess.run(["sqlite3", str(copy), "INSERT INTO exercise VALUES(9,'Dip','chest',NULL)"], check=True)
    world.edit("here", "UPDATE exercise SET note='deep' WHERE id=1")
    world.open()
    world.go("/file/1/conflicts")
    world.photograph("conflicts", height=600)
    world.press("Bring them in…")
    world.sees("What would come of it")
    world.press("Bring them in", "button")
    world.sees("The rows of both are here.")
    assert "Dip" in names(world) and world.sql("SELECT note FROM exercise WHERE id=1") == "deep"
    world.press("Undo", "button")
    world.sees("Taken back.")
    assert "Dip" not in names(world)


def check_what_is_new_comes_by_itself(world):
    world.open()
    world.edit("news", "INSERT INTO exercise VALUES(8,'Plank','core',NULL)")
    world.sees("news")


def check_a_dead_server_is_seen(world):
    world.open()
    time.sleep(0.5)
    world.stop(signal.SIGKILL)
    world.sees("Lost the connection to openwo. Reload the page.")
    buttons = world.browser.find_elements(By.CSS_SELECTOR, "button[data-post]")
    assert buttons and not any(button.is_enabled() for button in buttons)


def check_times_are_local(world):
    world.open()
    saved = [e.get_attribute("datetime") for e in world.browser.find_elements(By.TAG_NAME, "time")][0]
    moment = datetime.datetime.fromisoformat(saved.replace("Z", "+00:00"))
    tokyo = (moment + datetime.timedelta(hours=9)).strftime("%H:%M")
    _, body, _ = world.request("/file/1?lang=ja")
    assert f">{tokyo}</time>" in body.decode(), f"the server says {tokyo}"
    world.go("/file/1?lang=ja")
    until(lambda: tokyo.lstrip("0") in world.text(), what=f"the browser says {tokyo}")


def check_others_get_nothing(world):
    world.open()
    own = f"http://127.0.0.1:{world.port}"
    assert world.request("/file/1")[0] == 200
    assert world.request("/file/1", cookie=False)[0] == 403
    assert world.request("/file/1", host="evil.example")[0] == 403
    assert world.request("/file/1", host=f"evil.example:{world.port}")[0] == 403
    assert world.request("/file/1", headers=[("Origin", "http://evil.example")])[0] == 403
    assert world.request(world.entrance.removeprefix(world.base), cookie=False)[0] == 403, "it works once"
    assert world.request("/file/1/lock", "POST", headers=[("Origin", own)], body=b"head=x")[0] == 403
    assert world.request("/file/1/lock", "POST", headers=[("Origin", "http://evil.example"), ("X-OpenWO", "1")], body=b"head=x")[0] == 403
    large = b"a" * 1_000_000
    try:
        assert world.request("/file/1/lock", "POST", headers=[("X-OpenWO", "1")], body=large)[0] == 413
    except OSError:
        pass  # it may hang up in the middle
    assert "lock" not in world.openwo("status", "--json").stdout.split('"lock":')[1][:6]
    listening = pathlib.Path(f"/proc/{world.server.pid}/net/tcp").read_text().splitlines()[1:]
    port = f":{world.port:04X}"
    found = {line.split()[1] for line in listening if line.split()[1].endswith(port) and line.split()[3] == "0A"}
    assert found == {f"0100007F{port}"}, found
    for kind in ["'none'", "script-src 'self'", "frame-ancestors 'none'"]:
        assert kind in world.request("/")[2].getheader("Content-Security-Policy")


def check_many_headers_are_refused(world):
    world.open()
    with socket.create_connection(("127.0.0.1", world.port), 60) as connection:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\n" + b"X-A: " + b"a" * 100_000 + b"\r\n\r\n")
            answer = connection.recv(100)
        except OSError:
            answer = b""
    assert not answer.startswith(b"HTTP/1.1 200"), answer
    assert world.request("/")[0] == 200


def check_downloads_are_what_the_command_writes(world):
    with_history(world)
    world.open()
    status, body, answer = world.request("/file/1/download?form=json")
    assert status == 200 and body == world.openwo("export").stdout.encode()
    assert re.search(r'filename="diary_export_\d{8}_\d{4}\.json"', answer.getheader("Content-Disposition"))
    versions = re.findall(r"download\?version=([0-9a-f]+)", page_source(world, "/file/1/history"))
    _, body, _ = world.request(f"/file/1/download?version={versions[-1]}")
    shown = world.folder / "shown.sqlite"
    world.openwo("show", versions[-1], "-o", str(shown))
    assert body == shown.read_bytes()


def check_reading_works_without_the_script(world):
    with_history(world)
    world.open()
    _, body, _ = world.request("/file/1/history")
    assert all(words in body.decode() for words in ["tidied up", "from the phone", "What changed"])
    _, body, _ = world.request("/file/1/find?kind=deleted&q=pulldown")
    assert "Lat pulldown" in body.decode()


def check_it_ends_by_itself_when_nobody_asks(world):
    process = subprocess.Popen(
        [world.programs / "openwo-web", "--no-open", "--idle", "1", str(world.database)], env=world.environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.wait(60) == 0


def check_states_by_their_causes(world):
    world.open()
    world.sees("Synced")
    # Something else has the file.
    world.sql("PRAGMA user_version")
    kept = world.database.read_bytes()
    world.database.write_bytes(b"garbage" * 1000)
    world.go("/file/1")
    world.sees("damaged")
    world.database.write_bytes(kept)
    moved = world.folder / "elsewhere"
    (world.folder / "sync").rename(moved)
    world.go("/file/1")
    world.sees("The folder or the file is not there now.")
    moved.rename(world.folder / "sync")
    world.sees("Synced")
    manifest = world.folder / "sync" / "diary.sqlite.openwo" / "store.json"
    text = manifest.read_text()
    manifest.write_text(re.sub(r'"format" ?: ?\d+', '"format":99', text))
    world.go("/file/1")
    world.sees("newer version")
    manifest.write_text(text)


def check_settings_have_the_rows_that_each_app_asks_for(world):
    for app, words in [("trainlog", ["list"]), ("buffstuff", ["list"]), ("dailydo", ["list"])]:
        world.app(app, *words)
    running = world.app_left_open("dailydo", "open")
    try:
        world.open()
        world.go("/")

        def section(name):
            return [s for s in world.browser.find_elements(By.CSS_SELECTOR, "main > section") if name in s.text.lower().replace(" ", "")][0]

        def roles(name):
            return [n.get_attribute("role") for n in section(name).find_elements(By.CSS_SELECTOR, "[role]")]

        assert "switch" not in roles("trainlog"), "an app without a switch has none here"
        assert "Synced" in section("trainlog").text and "Open Settings" in section("trainlog").text
        assert "Sync Now" in section("buffstuff").text and "switch" in roles("buffstuff")
        quiet = section("dailydo")
        assert roles("dailydo") == ["switch"], roles("dailydo")
        assert "Sync Now" not in quiet.text and "Last Sync" not in quiet.text, quiet.text
        world.photograph("settings", height=1000)
        switch = lambda: section("dailydo").find_element(By.CSS_SELECTOR, "[role=switch]")  # noqa: E731
        until(lambda: switch().is_enabled())
        assert switch().get_attribute("aria-checked") == "false"
        switch().click()
        until(lambda: switch().get_attribute("aria-checked") == "true", what="the switch is on")
        world.sees("Restart the app for the change to take effect")
        switch().click()
        until(lambda: switch().get_attribute("aria-checked") == "false", what="the switch is off")
        world.sees_no("Restart the app for the change to take effect")
        status, _, _ = world.request(
            "/app/org.example.trainlog/switch", "POST", headers=[("X-OpenWO", "1")], body=b"on=0")
        if status == 404:  # a debug build keeps its data apart
            status, _, _ = world.request(
                "/app/org.example.trainlog%40development/switch", "POST", headers=[("X-OpenWO", "1")], body=b"on=0")
        assert status == 409, status
        assert not world.violations(), world.violations()
        world.browser.execute_script("window.buzzed = 0; navigator.vibrate = () => { sessionStorage.buzzed = Number(sessionStorage.buzzed ?? 0) + 1; return true; }")
        world.press("Open Settings")
        until(lambda: "/app/org.example.trainlog" in world.browser.current_url)
        assert world.browser.execute_script("return sessionStorage.buzzed") == "1"
        assert world.browser.execute_script("return document.activeElement.tagName") == "H1"
        assert not world.violations(), world.violations()
    finally:
        running.stdin.close()
        running.wait(60)
    # Nobody runs it any more: the switch takes effect with the next start, and no notice is due.
    world.go("/")
    until(lambda: switch().is_enabled())
    switch().click()
    until(lambda: switch().get_attribute("aria-checked") == "true")
    assert "Restart the app" not in world.text()


def check_rows_react_over_their_whole_width_and_others_do_not(world):
    world.app("trainlog", "list")
    world.open()
    world.go("/")
    row = world.browser.find_element(By.CSS_SELECTOR, "a.row[data-buzz]")
    for place in [2 - row.size["width"] / 2, row.size["width"] / 2 - 2]:
        world.go("/")
        row = world.browser.find_element(By.CSS_SELECTOR, "a.row[data-buzz]")
        assert row.size["height"] >= 44
        ActionChains(world.browser).move_to_element_with_offset(row, int(place), 0).click().perform()
        until(lambda: "/app/" in world.browser.current_url)
    world.go("/")
    plain = world.browser.find_element(By.CSS_SELECTOR, ".row.plain")
    assert plain.get_attribute("tabindex") is None and plain.value_of_css_property("cursor") == "default"
    plain.click()
    time.sleep(0.2)
    assert world.browser.current_url == world.base + "/"


IN_BOTH = [
    check_a_deleted_row_is_found_and_comes_back, check_the_keyboard_alone_does_it,
    check_hostile_text_stays_text, check_axe_finds_nothing_in_both_languages,
    check_a_lock_elsewhere_is_seen_within_two_seconds, check_a_dead_server_is_seen, check_times_are_local,
]
