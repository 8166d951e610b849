"""Each line of the table of states, made by what really causes it, and read as a person reads it in both languages."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess

from selenium.webdriver.common.by import By

from surroundings import until

W = ("Data is stored only on this device. Uninstalling or switching devices will lose data.",
     "この端末内にのみ保存されています。アプリ削除や機種変更でデータが消えます。")
UNAVAILABLE = ("iCloud not available", "iCloud未設定")
TEMPORARY = ("Temporary sync failure", "一時的な同期失敗")


def section(world, name):
    return [s for s in world.browser.find_elements(By.CSS_SELECTOR, "main > section") if name in s.text][0]


def shows(world, name, label, *texts, absent=(), buttons=(), banner=None, photograph=None):
    """The section of an app has this label, these texts in this order, and these buttons; in English and in Japanese."""
    for number, language in enumerate(["en", "ja"]):
        world.go(f"/?lang={language}")
        until(lambda: section(world, name).find_element(By.CSS_SELECTOR, ".value.badge").text == label[number],
              what=f"{label[number]}, not {section(world, name).text!r}")
        text = section(world, name).text
        places = [text.find(words[number]) for words in texts]
        assert all(place >= 0 for place in places) and places == sorted(places), (texts, places, text)
        assert not any(words[number] in text for words in absent), text
        if banner:
            assert banner[number] in [n.text for n in section(world, name).find_elements(By.CSS_SELECTOR, "[role=status]")]
        found = [b.text for b in section(world, name).find_elements(By.CSS_SELECTOR, "button.row, a.row, a.act")]
        for words in buttons:
            assert any(words[number] in title for title in found), (words, found)
        assert not world.violations(), world.violations()
    if photograph:
        world.go("/?lang=en")
        world.photograph(photograph, height=900)


AGAIN, SETTINGS = ("Try Again", "もう一度試す"), ("Open Settings", "設定を開く")
NAME = "TrainLog"


def is_for_development(world):
    """Whether the app was built for debugging: then it keeps its data apart."""
    return world.app_program("trainlog").parent.name == "debug"


def address(world, page):
    return f"/app/org.example.trainlog{'%40development' if is_for_development(world) else ''}/{page}"


def folder(world):
    return world.folder / "apps"


def synced(world):
    return next(folder(world).rglob("TrainLogCloud.sqlite"))


def without_folder(world, *words):
    """The app runs while its folder is not there."""
    program = world.app_program("trainlog")
    shutil.rmtree(folder(world))
    subprocess.run([program, *words], env=world.app_environment(), check=True, capture_output=True)


def begin(world):
    world.app("trainlog", "log", "squat", "100x5")
    world.open()


@contextlib.contextmanager
def read_only(path):
    """Nobody may write there; what root would be let through is a read-only mount for it."""
    if os.geteuid():
        path.chmod(0o555)
        try:
            yield
        finally:
            path.chmod(0o755)
        return
    subprocess.run(["mount", "--bind", path, path], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", path], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", path], check=True)


def check_state_nobody_has_looked_yet(world):
    without_folder(world, "list")
    folder(world).mkdir()
    world.open()
    shows(world, NAME, ("Checking...", "確認中..."), absent=[W, UNAVAILABLE])


def check_state_nothing_waits_and_something_waits(world):
    begin(world)
    shows(world, NAME, ("Synced", "同期済み"), ("Saved to iCloud.", "iCloudに保存されています。"),
          ("Last saved here", "この端末での最終保存"), SETTINGS, ("Export", "エクスポート"), absent=[W, AGAIN])
    subprocess.run(["sqlite3", synced(world), "UPDATE workout SET note='later'"], check=True)
    shows(world, NAME, ("Syncing...", "同期中..."), ("It may take a moment to finish.", "最新になるまで少し時間がかかる場合があります。"),
          ("Syncing: this may be stale", "同期中のため最新でない可能性"), absent=[W])


def check_state_without_the_folder(world):
    begin(world)
    folder(world).rename(world.folder / "elsewhere")
    shows(world, NAME, UNAVAILABLE, W, SETTINGS, ("Check iCloud in the system settings.", "システム設定でiCloudを確認してください。"),
          absent=[AGAIN], photograph="state-local")


def check_state_folder_that_may_not_be_written(world):
    begin(world)
    with read_only(folder(world)):
        shows(world, NAME, UNAVAILABLE, W,
              ("The folder cannot be written. Check its permissions.", "フォルダに書き込めません。アクセス権を確認してください。"), SETTINGS)


def check_state_store_is_not_in_the_folder(world):
    begin(world)
    for path in synced(world).parent.glob("TrainLogCloud.sqlite*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shows(world, NAME, UNAVAILABLE, W,
          ("Your data is not found in iCloud. Check that you are signed in, then try again.",
           "iCloudにデータが見つかりません。サインインしているか確認して、もう一度お試しください。"), buttons=[AGAIN])


def check_state_no_room(world):
    if os.geteuid():
        print("   not root: no file system can be filled")
        return
    world.app_program("trainlog")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder(world)], check=True)
    try:
        begin(world)
        other = os.open(folder(world) / "other.bin", os.O_WRONLY | os.O_CREAT)
        with contextlib.suppress(OSError):
            while True:
                os.write(other, b"x" * 4096)
        os.close(other)
        shows(world, NAME, ("iCloud storage full", "iCloud容量不足"),
              ("There is no room left in iCloud. Free up space, then try again.",
               "iCloudの空き容量が不足しています。空き容量を増やしてから、もう一度お試しください。"), W, buttons=[AGAIN])
        alerts = section(world, NAME).find_elements(By.CSS_SELECTOR, "[role=alert]")
        assert len(alerts) == 1, [a.text for a in alerts]
    finally:
        subprocess.run(["umount", "-l", folder(world)], check=True)


def check_state_offline(world):
    world.more["OPENWO_NETWORK"] = "offline"
    begin(world)
    shows(world, NAME, ("Offline", "オフライン"),
          ("You are offline. Changes are kept here and are sent when the network is back.",
           "オフラインです。変更はこの端末に保存され、接続が戻ると送信されます。"),
          ("Offline: this may be stale", "オフラインのため最新でない可能性があります"), absent=[W])


def check_state_folder_does_not_answer(world):
    begin(world)
    folder(world).rename(world.folder / "elsewhere")
    folder(world).symlink_to("apps")  # it leads to itself
    shows(world, NAME, TEMPORARY, W,
          ("iCloud does not answer right now. Try again in a while.", "iCloudが応答していません。しばらくしてからもう一度お試しください。"),
          buttons=[AGAIN])


def check_state_busy(world):
    begin(world)
    other = sqlite3.connect(synced(world), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        shows(world, NAME, TEMPORARY,
              ("Another program is using the data. It will be tried again by itself.",
               "別のプログラムがデータを使用中です。しばらくすると自動的に再試行されます。"), absent=[W], buttons=[AGAIN])
    finally:
        other.close()
    shows(world, NAME, ("Synced", "同期済み"))


def check_state_damaged_and_newer(world):
    begin(world)
    kept = synced(world).read_bytes()
    synced(world).write_bytes(b"garbage" * 1000)
    shows(world, NAME, ("Sync error", "同期エラー"),
          ("The file in iCloud is damaged. Earlier versions are kept.", "iCloudのファイルが壊れています。以前のバージョンは残っています。"),
          ("Open the history", "履歴を開く"), absent=[W])
    synced(world).write_bytes(kept)
    manifest = pathlib.Path(f"{synced(world)}.openwo") / "store.json"
    text = manifest.read_text()
    manifest.write_text(re.sub(r'"format" ?: ?\d+', '"format":99', text))
    assert manifest.read_text() != text
    shows(world, NAME, ("Sync error", "同期エラー"),
          ("The data was written by a newer version of the app.", "新しいバージョンのアプリで作成されたデータです。"),
          absent=[W, ("Open the history", "履歴を開く")])


def check_state_switched_off_and_just_on_again(world):
    world.app("buffstuff", "list")
    world.open()
    name = "Buff Stuff"
    switch = lambda: section(world, name).find_element(By.CSS_SELECTOR, "[role=switch]")  # noqa: E731

    def move(now):
        world.go("/?lang=en")
        until(lambda: switch().is_enabled())
        switch().click()
        until(lambda: switch().get_attribute("aria-checked") == now, what=f"the switch is {now}")

    local = ("Local only", "この端末のみ")
    move("false")
    notice = ("Restart the app for the change to take effect", "変更を反映するにはアプリを再起動してください")
    shows(world, name, local, W, ("Off", "オフ"), absent=[notice, UNAVAILABLE])
    with world.app_held_open("buffstuff", "list"):
        move("true")
        shows(world, name, local, W, ("On", "オン"), notice, absent=[UNAVAILABLE])
        move("false")
        shows(world, name, local, W, absent=[notice])


def check_state_folder_comes_and_goes_under_a_running_app(world):
    world.app("trainlog", "log", "squat", "100x5")
    away = world.folder / "elsewhere"
    folder(world).rename(away)
    banner = ("iCloud is available now. Restart the app to turn on syncing.", "iCloudが有効になりました。再起動すると同期が有効になります。")
    with world.app_held_open("trainlog", "list", has_folder=False) as running:
        world.open()
        shows(world, NAME, UNAVAILABLE, W, absent=[banner])
        away.rename(folder(world))
        shows(world, NAME, UNAVAILABLE, banner=banner)
        assert running.poll() is None
    shows(world, NAME, ("Synced", "同期済み"), absent=[banner, W])
    with world.app_held_open("trainlog", "list"):
        folder(world).rename(away)
        shows(world, NAME, ("Sync error", "同期エラー"),
              ("The folder is gone. Restart the app to go on with this device's own data.",
               "フォルダが見つかりません。再起動すると、この端末内で続けられます。"), absent=[W, banner], buttons=[AGAIN])
        away.rename(folder(world))
        shows(world, NAME, ("Synced", "同期済み"))


def as_phone(world, *words, place="phone-apps"):
    """The same app on another device, with its own copy of the folder."""
    home = world.folder / place
    home.mkdir(exist_ok=True)
    environment = dict(world.app_environment("phone"), OPENWO_SYNC_DIR=str(home), XDG_DATA_HOME=str(home.with_suffix(".data")))
    subprocess.run([world.app_program("trainlog"), *words], env=environment, check=True, capture_output=True)
    return home


def check_state_data_of_another_account(world):
    begin(world)
    other = as_phone(world, "log", "deadlift", "120x5")
    shutil.rmtree(folder(world))
    shutil.copytree(other, folder(world))
    world.app("trainlog", "list")
    news = ("You see this folder's data. What was here before is kept apart on this device.",
            "このフォルダのデータを表示しています。以前のデータはこの端末に別に保管されています。")
    shows(world, NAME, ("Synced", "同期済み"), news)
    # It is said once.
    world.press("確認", "main > section button")
    world.sees_no(news[1])
    world.go("/?lang=en")
    assert news[0] not in world.text()


def check_state_two_devices_began_apart(world):
    other = as_phone(world, "log", "deadlift", "120x5")
    begin(world)
    # The service connects their folders: each file comes that is not there yet.
    for path in [path for path in other.rglob("*") if path.is_file()]:
        arrived = folder(world) / path.relative_to(other)
        arrived.parent.mkdir(parents=True, exist_ok=True)
        if not arrived.exists():
            shutil.copy(path, arrived)
    until(lambda: "deadlift" in world.app("trainlog", "list").stdout, what="the rows of both")
    news = ("Data of two devices was brought together.", "2台の端末のデータを1つにまとめました。")
    shows(world, NAME, ("Synced", "同期済み"), news, absent=[W])
    # It is said once.
    world.press("確認", "main > section button")
    world.sees_no(news[1])
    world.go("/?lang=en")
    assert news[0] not in world.text()


def check_state_data_that_came_in_and_data_that_could_not(world):
    without_folder(world, "log", "squat", "100x5")
    folder(world).mkdir()
    world.app("trainlog", "list")
    world.open()
    moved = ("This device's data was brought in: ", "この端末のデータを移行しました：")
    shows(world, NAME, ("Synced", "同期済み"), moved, ("exerciseSet 1", "exerciseSet 1件"), ("Failed: 0", "失敗 0件"))
    world.go("/?lang=en")
    world.press("OK", "main > section button")
    world.sees_no(moved[0])
    world.press("Open Settings")
    world.sees("Data that was brought in")
    assert moved[0] in world.text(), "the log keeps it"
    assert not world.violations(), world.violations()


def check_state_own_data_could_not_be_brought_in(world):
    other = as_phone(world, "log", "deadlift", "120x5")
    without_folder(world, "log", "squat", "100x5")
    local = next((world.folder / "data").rglob("TrainLog.sqlite"))
    shutil.copytree(other, folder(world))
    # A program has the file of this device and does not let go of it.
    program = sqlite3.connect(local, isolation_level=None)
    program.execute("BEGIN EXCLUSIVE")
    try:
        world.app("trainlog", "status")
    finally:
        program.close()
    world.open()
    shows(world, NAME, TEMPORARY, ("This device's own data is not brought in yet. It is kept.", "この端末のデータをまだ取り込めていません。データは残っています。"),
          ("What happened", "移行の記録"), absent=[W], buttons=[AGAIN])
    world.press("What happened" if "lang=en" in world.browser.current_url else "移行の記録")
    until(lambda: world.browser.find_element(By.ID, "log"))


def check_state_set_aside_is_brought_in(world):
    environment = "development" if is_for_development(world) else "production"
    world.database = folder(world) / ("development" if is_for_development(world) else "") / "TrainLogCloud.sqlite"
    world.database.parent.mkdir(exist_ok=True)
    # A store whose last writer wins: the app itself would have merged.
    world.openwo("init", "--create", "--app", "org.example.trainlog", "--environment", environment,
                 "--policy", "lastWriterWins")
    begin(world)
    shutil.copytree(folder(world), world.folder / "folder-of-phone")
    here = world.database
    world.database = world.folder / "folder-of-phone" / here.relative_to(folder(world))
    world.edit("on the phone", "INSERT INTO favoriteExercise VALUES('squat','2026-11-27'), ('press','2026-11-27')", device="phone")
    there, world.database = world.database, here
    world.edit("here", "UPDATE exerciseSet SET reps=6")
    for path in sorted(pathlib.Path(f"{there}.openwo").rglob("*")):
        place = pathlib.Path(f"{here}.openwo") / path.relative_to(f"{there}.openwo")
        if path.is_file() and not place.exists():
            shutil.copy2(path, place)
    world.openwo("sync")
    shows(world, NAME, ("Synced", "同期済み"),
          ("Another device's changes went on. 2 of yours are kept.", "別の端末の変更が優先されました。この端末の変更（2件）は残っています。"),
          buttons=[("Bring them in", "取り込む"), ("Look", "見る")], photograph="state-set-aside")
    world.press("Bring them in")
    world.sees("What would come of it")
    world.sees("2 rows brought in")
    world.press("Bring them in", "#decide button")
    world.sees("The rows of both are here.")
    assert world.sql("SELECT count(*) FROM favoriteExercise") == "2"
    shows(world, NAME, ("Synced", "同期済み"), absent=[("are kept", "残っています")])


def check_state_locked_and_unlocked(world):
    begin(world)
    world.database = synced(world)
    world.openwo("sync", device="phone")
    world.go("/?lang=en")
    world.openwo("lock", "--note", "fixing <b>sets</b>", device="phone")
    world.sees("on phone is editing since")
    shows(world, NAME, ("Synced", "同期済み"),
          ("fixing <b>sets</b>. You can read, but not save.", "fixing <b>sets</b>。閲覧はできますが、保存はできません。"))
    assert world.request(address(world, "export"))[0] == 200, "the export is from before the lock"
    world.go("/?lang=en")
    world.openwo("unlock", device="phone")
    world.sees_no("is editing since")
    until(lambda: "Unlocked" in section(world, NAME).find_element(By.CSS_SELECTOR, "[role=status]").text, what="it says so")


def check_an_app_is_exported_in_its_own_form(world):
    world.app("trainlog", "log", "squat", "100x5", "100x4")
    world.app("trainlog", "favorite", "squat")
    world.open()
    own = world.folder / "own.json"
    world.app("trainlog", "export", "--output", str(own))

    def shown():
        status, body, answer = world.request(address(world, "export"))
        assert status == 200, body
        assert re.search(r'filename="trainlog_export_\d{8}_\d{4}\.json"', answer.getheader("Content-Disposition"))
        return json.loads(body)

    mine = json.loads(own.read_text())
    for part in ["schemaVersion", "workouts", "favorites", "settings"]:
        # What a cell has no value for is left out by the app and null in the query.
        assert tidy(shown()[part]) == tidy(mine[part]), part
    # Without the folder it is what this device has.
    folder(world).rename(world.folder / "elsewhere")
    world.app("trainlog", "log", "press", "50x5")
    assert "press" in json.dumps(shown())


def tidy(value):
    if isinstance(value, dict):
        return {name: tidy(part) for name, part in value.items() if part is not None}
    return [tidy(part) for part in value] if isinstance(value, list) else value
