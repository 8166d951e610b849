"""Two sides and more, chosen by row and cell; two pages that are open at once."""

import re
import shutil
import time

from selenium.webdriver.common.by import By

from surroundings import until


def apart(world, device, text):
    """A device writes without the others: in a copy of the folder that nothing is delivered to."""
    folder = world.folder / f"folder-of-{device}"
    if not folder.exists():
        shutil.copytree(world.folder / "sync", folder)
    database, world.database = world.database, folder / "diary.sqlite"
    try:
        world.edit(f"on {device}", text, device=device)
    finally:
        world.database = database


def deliver(world, *devices):
    """What the devices wrote comes in, as a service brings it: versions and words of devices, one file at a time."""
    for device in devices:
        companion = world.folder / f"folder-of-{device}" / "diary.sqlite.openwo"
        for path in sorted(companion.rglob("*")):
            place = world.folder / "sync" / "diary.sqlite.openwo" / path.relative_to(companion)
            if path.is_file() and not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, place)


def with_two_sides(world):
    world.openwo("sync", device="phone")
    apart(world, "phone", "UPDATE exercise SET name='Front squat', note='on the toes' WHERE id=1;"
                          "UPDATE exercise SET muscle='hips' WHERE id=3; INSERT INTO exercise VALUES(9,'Dip','chest',NULL)")
    time.sleep(1.1)  # the two have different times, to the second
    world.edit("here", "UPDATE exercise SET name='Deep squat', note='slowly' WHERE id=1; DELETE FROM exercise WHERE id=3")
    deliver(world, "phone")
    world.openwo("sync")


def row(world, number):
    return world.sql(f"SELECT name || '|' || muscle || '|' || coalesce(note, '') FROM exercise WHERE id={number}")


def choose(world, words, side):
    """Takes a cell by what it says."""
    def chosen():
        nodes = [n for n in world.browser.find_elements(By.CSS_SELECTOR, "label.choice") if words in n.text]
        world.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", nodes[0])
        nodes[0].click()
        return nodes[0].find_element(By.TAG_NAME, "input").is_selected()
    until(chosen, what=f"{words} is chosen")
    until(lambda: f"{side}=" in world.browser.current_url, what="the address has the choice")


def check_sides_are_chosen_by_row_and_cell(world):
    with_two_sides(world)
    assert row(world, 1) == "Deep squat|legs|slowly", row(world, 1)
    world.open()
    world.sees("Another side's changes are kept")
    world.go("/file/1/conflicts")
    world.press("Bring them in…")
    world.sees("Both changed 2 rows: choose")
    world.photograph("choose-sides", height=1200)
    assert not world.violations(), world.violations()
    until(lambda: world.browser.find_element(By.CSS_SELECTOR, "#decide button").is_enabled())
    # One cell from the phone, the other stays; the deleted row comes back with what the phone made of it.
    choose(world, "Front squat", "theirs")
    choose(world, "hips", "theirs")
    world.sees("what is brought in is taken")
    until(lambda: world.browser.find_element(By.CSS_SELECTOR, "#decide button").is_enabled(), what="a preview of the choice")
    assert row(world, 1) == "Deep squat|legs|slowly", "a preview changes nothing"
    # A choice outlives a reload.
    world.browser.refresh()
    picked = [n.text for n in world.browser.find_elements(By.CSS_SELECTOR, "label.choice:has(input:checked)")]
    assert any("Front squat" in text for text in picked) and any("slowly" in text for text in picked), picked
    world.press("Bring them in", "#decide button")
    world.sees("The rows of both are here.")
    assert row(world, 1) == "Front squat|legs|slowly", row(world, 1)
    assert row(world, 3) == "Deadlift|hips|", row(world, 3)
    assert row(world, 9) == "Dip|chest|", row(world, 9)
    world.press("Undo", "button")
    world.sees("Taken back.")
    assert row(world, 1) == "Deep squat|legs|slowly" and row(world, 9) == ""


def check_a_whole_row_is_taken_by_one_button(world):
    with_two_sides(world)
    world.open()
    world.go("/file/1/conflicts?lang=ja")
    world.press("取り込む…")
    world.sees("両方が変更した2行")
    world.press("すべて取り込む側", "button")
    until(lambda: "theirs=" in world.browser.current_url)
    until(lambda: world.browser.find_element(By.CSS_SELECTOR, "#decide button").is_enabled())
    world.press("取り込む", "#decide button")
    world.sees("まとめました。")
    assert row(world, 1) == "Front squat|legs|on the toes", row(world, 1)


def check_a_choice_on_an_old_head_is_refused_with_a_way_on(world):
    with_two_sides(world)
    world.open()
    world.go("/file/1/conflicts")
    world.press("Bring them in…")
    world.sees("Both changed 2 rows: choose")
    choose(world, "Front squat", "theirs")
    # A second page decides meanwhile.
    first = world.browser.current_window_handle
    world.browser.switch_to.new_window("tab")
    try:
        world.go("/file/1/history")
        versions = re.findall(r"restore\?version=[0-9a-f]+", world.browser.page_source)
        world.go("/file/1/" + versions[-1])
        world.press("Bring back", ".decide button")
        world.sees("Brought back.")
        world.browser.close()
    finally:
        world.browser.switch_to.window(first)
    world.sees("Something newer came meanwhile.")
    assert not world.browser.find_elements(By.CSS_SELECTOR, "#decide button"), "there is nothing to press on an old decision"
    now = row(world, 1)
    world.press("Look again")
    until(lambda: "theirs=" not in world.browser.current_url)
    world.sees("What would come of it")
    assert row(world, 1) == now


def check_conflicts_of_six_devices(world):
    devices = ["phone", "tablet", "desktop", "nas", "work"]
    for number, device in enumerate(devices):
        apart(world, device, f"UPDATE exercise SET note='by {device}' WHERE id=2; INSERT INTO session VALUES({50 + number},'2026-11-2{number}',2,{number},NULL)")
    time.sleep(1.1)
    world.edit("here", "UPDATE exercise SET note='by laptop' WHERE id=2")
    deliver(world, *devices)
    world.openwo("sync")
    world.open()
    world.sees("The changes of 5 other sides are kept")
    world.go("/file/1/conflicts")
    text = world.text()
    assert all(f"What {device} wrote" in text for device in devices), text
    world.photograph("six-devices", height=1500)
    assert not world.violations(), world.violations()
    for left in range(4, -1, -1):
        world.go("/file/1/conflicts")
        world.press("Bring them in…")
        world.sees("Both changed one row: choose")
        until(lambda: world.browser.find_element(By.CSS_SELECTOR, "#decide button").is_enabled())
        world.press("Bring them in", "#decide button")
        world.sees("The rows of both are here.")
    world.go("/file/1/conflicts")
    world.sees("Nothing waits")
    assert world.sql("SELECT count(*) FROM session WHERE id >= 50") == "5"
    assert world.sql("SELECT note FROM exercise WHERE id=2") == "by laptop"
