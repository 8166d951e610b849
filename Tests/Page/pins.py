"""Names of versions."""

from selenium.webdriver.common.by import By

from surroundings import until


def first_form(world):
    """Opens the names of the second newest version."""
    item = world.browser.find_elements(By.CSS_SELECTOR, ".timeline > li")[1]
    world.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", item)
    item.find_element(By.CSS_SELECTOR, ".naming summary").click()
    return item


def check_a_version_gets_a_name_another_one_and_none(world):
    world.edit("tidied up", "DELETE FROM exercise WHERE id=4")
    world.edit("spelling", "UPDATE exercise SET note='x' WHERE id=1")
    world.open()
    world.go("/file/1/history")
    first_form(world).find_element(By.CSS_SELECTOR, "input[name=name]").send_keys("before <b>the trip")
    world.press("Give this name", "button")
    world.sees("The version is called before <b>the trip now.")
    world.sees("Named versions")
    assert not world.violations(), world.violations()
    assert "before <b>the trip" in world.openwo("history").stdout
    # The name means the version, in the command as well.
    assert world.openwo("diff", "before <b>the trip", check=False).returncode in (0, 1)
    world.photograph("named", height=900)
    field = first_form(world).find_element(By.CSS_SELECTOR, "input[name=name]")
    field.clear()
    field.send_keys("holiday")
    world.press("Rename", "button")
    world.sees("The version is called holiday now.")
    until(lambda: "the trip" not in world.openwo("history").stdout)
    # What means a time, or another version's name, is refused with words.
    item = world.browser.find_elements(By.CSS_SELECTOR, ".timeline > li")[0]
    item.find_element(By.CSS_SELECTOR, ".naming summary").click()
    item.find_element(By.CSS_SELECTOR, "input[name=name]").send_keys("holiday")
    world.press("Give this name", ".timeline > li:first-child button")
    world.sees("another version has it")
    world.go("/file/1/history?lang=ja")
    first_form(world)
    world.press("削除", ".timeline button")
    world.sees("「holiday」という名前を外しました。")
    world.sees_no("名前のある版\n")
    assert "holiday" not in world.openwo("history").stdout
