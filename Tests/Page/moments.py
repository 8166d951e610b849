"""Times when an hour repeats, and how long a person waits for a look."""

import contextlib
import datetime
import html
import http.client
import re
import signal
import time

from selenium.webdriver.common.by import By

from surroundings import until


def check_an_hour_that_repeats_has_its_offset(world):
    # A zone whose summer time ended ten minutes ago.
    change = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=10)
    day = change.replace(year=2027).timetuple().tm_yday
    world.more["TZ"] = f"AAA0BBB-1,J1/0,J{day}/{change.hour + 1}:{change:%M:%S}"
    world.edit("now", "UPDATE exercise SET note='x'")
    world.open()
    _, body, _ = world.request("/file/1/history")
    assert re.search(r">\d\d:\d\d\+00:00</time>", body.decode()), re.findall(r"<time.*?</time>", body.decode())
    # The browser does the same in its own zone.
    if world.browser_name != "chromium":
        return
    world.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
    script = world.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        document.addEventListener("readystatechange", () => {
          if (document.readyState !== "interactive") return;
          ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z", "2026-10-25T03:30:00.000Z"].forEach((moment, index) => {
            const node = document.createElement("time");
            [node.dateTime, node.dataset.show, node.id] = [moment, "time", "moment-" + index];
            document.querySelector("h1").append(node);
          });
        });"""})
    try:
        world.go("/file/1/history?lang=en")
        texts = [world.browser.find_element(By.ID, f"moment-{index}").text for index in range(3)]
        # ICU has a narrow space before AM.
        found = [re.sub(r"\s", " ", text) for text in texts]
        assert found == ["2:30 AM GMT+02:00", "2:30 AM GMT+01:00", "4:30 AM"], found
    finally:
        world.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
        world.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})


def check_a_slow_look_says_so_and_goes_on(world):
    world.app("buffstuff", "list")
    world.open()
    world.go("/?lang=en")
    button = lambda: [b for b in world.browser.find_elements(By.CSS_SELECTOR, "button.row") if "Sync Now" in b.text][0]  # noqa: E731
    until(lambda: button().is_enabled())
    result = lambda: world.browser.find_element(By.CSS_SELECTOR, "section .result[role=status]").text  # noqa: E731
    world.server.send_signal(signal.SIGSTOP)
    try:
        start = time.monotonic()
        button().click()
        until(lambda: result() == "Syncing...", 5, "it says at once what it does")
        assert not button().is_enabled() and button().get_attribute("aria-busy") == "true"
        until(lambda: result() == "Still looking", 20, "it says that it still looks")
        assert time.monotonic() - start > 9
    finally:
        world.server.send_signal(signal.SIGCONT)
    until(lambda: "Checked at" in result(), what="it went on")
    until(lambda: button().is_enabled())


def check_a_change_between_the_page_and_its_stream_is_told(world):
    world.open()
    for page, verb, when in [("/file/1", None, "beat"), ("/file/1", "lock", "change"), ("/", "unlock", "change")]:
        _, body, _ = world.request(page)
        events = html.unescape(re.search(r'data-events="([^"]+)"', body.decode())[1])
        if verb:
            world.openwo(verb, device="phone")
        assert heard(world, events)[1] == when, f"after {verb}"


def heard(world, events):
    """The first two things that a page hears."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", world.port, timeout=60)) as connection:
        cookie = "; ".join(f"{c['name']}={c['value']}" for c in world.browser.get_cookies())
        connection.request("GET", events, headers={"Cookie": cookie})
        lines = iter(connection.getresponse().readline, b"")
        names = (line.split()[1].decode() for line in lines if line.startswith(b"event:"))
        return [next(names), next(names)]
