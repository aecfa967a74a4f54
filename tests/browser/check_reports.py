"""Opens the HTML reports in a headless browser, as a reader would.

  check_reports.py MGNN [FOLDER]

Checks that the console is silent, all figures are drawn, tables sort, tips appear, and nothing is
wider than a phone. With FOLDER, screenshots are kept there. Exits with 77 (skipped) where there is
no browser or driver.
"""
import pathlib
import sys
import tempfile

from driver import ActionChains, browser, run_mgnn

FIGURES = """return [...document.querySelectorAll('svg.figure')].map(svg => {
  const box = svg.getBoundingClientRect();
  const marks = svg.querySelectorAll('rect,circle,polyline,line').length;
  const seen = [...svg.querySelectorAll('text')].every(t => t.getBBox().width > 0);
  return [box.width, box.height, marks, seen];
});"""

COLUMN = """const [t, c] = arguments;
return [...document.querySelectorAll('table')[t].tBodies[0].rows].map(r =>
  [r.cells[c].dataset.none === undefined, r.cells[c].dataset.v]);"""


def check_figures(driver, least):
    figures = driver.execute_script(FIGURES)
    assert len(figures) >= least, f"{len(figures)} figures"
    for width, height, marks, seen in figures:
        assert width > 200 and height > 60 and marks > 3 and seen, (width, height, marks, seen)


def check_sorting(driver):
    """Every numeric column of every table, up and down; empty cells stay last."""
    driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true;")
    checked = 0
    for t in range(driver.execute_script("return document.querySelectorAll('table').length")):
        heads = driver.execute_script(
            "return [...document.querySelectorAll('table')[arguments[0]].querySelectorAll('th')]"
            ".map(h => h.classList.contains('n'))", t)
        for c, numeric in enumerate(heads):
            if not numeric:
                continue
            for order, sign in (("ascending", 1), ("descending", -1)):
                driver.execute_script(
                    "document.querySelectorAll('table')[arguments[0]].querySelectorAll("
                    "'th button')[arguments[1]].click()", t, c)
                assert driver.execute_script(
                    "return document.querySelectorAll('table')[arguments[0]].querySelectorAll("
                    "'th')[arguments[1]].getAttribute('aria-sort')", t, c) == order
                cells = driver.execute_script(COLUMN, t, c)
                given = [float(v) for there, v in cells if there and v is not None]
                assert given == sorted(given, reverse=sign < 0), (t, c, given)
                present = [there for there, _ in cells]
                assert present == sorted(present, reverse=True), (t, c)
                checked += 1
    assert checked > 0
    driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = false;")


def check_tip(driver):
    mark = driver.find_element("css selector", "svg.figure [data-tip]")
    # The page hides its tip on the scroll event, which comes a frame later.
    driver.execute_async_script(
        "const [mark, done] = arguments; mark.scrollIntoView({block: 'center'});"
        "requestAnimationFrame(() => requestAnimationFrame(() => done()));", mark)
    ActionChains(driver).move_to_element(mark).perform()
    tip = driver.find_element("id", "tip")
    assert tip.is_displayed() and tip.text == mark.get_attribute("data-tip").strip(), tip.text


def check_page(driver, path, least, folder):
    driver.set_window_size(1000, 900)
    driver.get(path.as_uri())
    check_figures(driver, least)
    check_tip(driver)
    check_sorting(driver)
    for mode in ("light", "dark"):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": mode}]})
        for name, width in (("wide", 1000), ("phone", 390)):
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
            overflow = driver.execute_script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert overflow <= 0, f"{overflow} pixels too wide at {width}"
            if folder:
                height = min(driver.execute_script("return document.documentElement.scrollHeight"), 9000)
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
                driver.execute_script("scrollTo(0, 0)")
                driver.save_screenshot(str(folder / f"{path.stem}-{mode}-{name}.png"))
        paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(255, 255, 255)" if mode == "light" else "rgb(21, 23, 26)"), paper
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    messages = driver.get_log("browser")
    assert not messages, messages


def main():
    mgnn = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        driver = browser(place / "profile")
        try:
            train, reproduce = place / "train.html", place / "reproduce.html"
            run_mgnn(mgnn, "train", "roles", "--epochs", "15", "--seeds", "2", "--no-output",
                     "--report", str(train))
            run_mgnn(mgnn, "reproduce", "all", "--smallest", "--results", str(place / "results"),
                     "--report", str(reproduce))
            check_page(driver, train, 5, folder)
            check_page(driver, reproduce, 10, folder)
        finally:
            driver.quit()


main()
