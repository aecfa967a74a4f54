"""Uses the page of `mgnn serve` as somebody would, with mouse and keyboard, light and dark, wide and narrow.

  check_serve.py MGNN [FOLDER] [RUN…]

Searches, walks on, ranks and asks why; checks that numbers on the page are those of the API, that nothing is wider
than a phone, that the console is silent and no other server is asked. axe-core is run on every view where npm can
fetch it (or MGNN_AXE names axe.min.js); where not, this is said. With FOLDER, screenshots are kept there; with RUNs,
the first for nodes and the second for links, those are served instead of small ones. Exits with 77 (skipped) where
there is no browser or driver.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from driver import browser, run_mgnn
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

WIDTHS = {"wide": 1000, "phone": 390}
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 23, 26)"}


def axe_source(place):
    """The text of axe-core, or nothing and why."""
    given = os.environ.get("MGNN_AXE")
    if given:
        return pathlib.Path(given).read_text(), ""
    npm = shutil.which("npm")
    if not npm:
        return None, "no npm here"
    try:
        done = subprocess.run([npm, "install", "--no-audit", "--no-fund", "--prefix", str(place), "axe-core@4"],
                              capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None, "npm did not fetch it within a minute"
    path = place / "node_modules/axe-core/axe.min.js"
    return (path.read_text(), "") if path.exists() else (None, done.stderr.strip().splitlines()[-1:])


class Server:
    def __init__(self, mgnn, runs):
        self.process = subprocess.Popen([mgnn, "serve", *runs, "--port", "0", "--json", "--deadline", "60"],
                                        stdout=subprocess.PIPE, text=True)
        said = json.loads(self.process.stdout.readline())
        self.url, self.token, self.models = said["url"], said["token"], said["models"]

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + path, headers={
            "Authorization": "Bearer " + self.token, "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    def stop(self):
        self.process.terminate()
        assert self.process.wait(30) == 0


class Page:
    def __init__(self, driver, server, axe, folder):
        self.driver, self.server, self.axe, self.folder = driver, server, axe, folder
        self.checked = 0

    def find(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, what, seconds=60):
        """Until `what` (a selector, or a function) is there."""
        there = what if callable(what) else lambda: self.find(what)
        return WebDriverWait(self.driver, seconds, 0.05, ignored_exceptions=[Exception]).until(lambda _: there())

    def text(self, selector="#view"):
        return self.find(selector)[0].text

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def focused(self):
        return self.driver.execute_script("const e = document.activeElement; return e.id || e.tagName")

    def emulate(self, mode, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": mode}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def check(self, name):
        """What holds of every view."""
        for mode in PAPER:
            for size, width in WIDTHS.items():
                self.emulate(mode, width)
                overflow = self.driver.execute_script(
                    "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert overflow <= 0, f"{name}: {overflow} pixels too wide at {width}"
                paper = self.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
                assert paper == PAPER[mode], paper
                self.run_axe(f"{name}, {mode}, {size}")
                self.keep(f"{name}-{mode}-{size}", mode, width)
        self.emulate("light", 1000)
        self.checked += 1

    def run_axe(self, where):
        if not self.axe:
            return
        if not self.driver.execute_script("return typeof axe !== 'undefined'"):
            self.driver.execute_script(self.axe)
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run().then(r => done(r.violations.map(v => [v.id, v.help, v.nodes.map(n => n.html).slice(0, 3)])))")
        assert not found, f"{where}: {json.dumps(found, indent=1)}"

    def keep(self, name, mode, width):
        if not self.folder:
            return
        height = min(self.driver.execute_script("return document.documentElement.scrollHeight"), 6000)
        self.emulate(mode, width, max(height, 300))
        self.driver.execute_script("scrollTo(0, 0)")
        self.driver.save_screenshot(str(self.folder / f"serve-{name}.png"))

    def go(self, *parts):
        self.driver.execute_script("location.hash = arguments[0]",
                                   "#/" + "/".join(urllib.parse.quote(p, safe="") for p in parts))
        self.wait(lambda: self.find("#title") and self.text("#title") == parts[-1])


def check_token(page):
    page.driver.get(page.server.url)
    page.wait("#token")
    page.check("token")
    page.find("#token")[0].send_keys("not the token of this server", Keys.ENTER)
    page.wait(lambda: page.find("#token") and page.find("#token")[0].get_attribute("value") == "")
    page.find("#token")[0].send_keys(page.server.token, Keys.ENTER)
    page.wait("#title")
    # By the address that the tool prints; the token does not stay in it.
    page.driver.execute_script("sessionStorage.clear()")
    page.driver.get("about:blank")
    page.driver.get(page.server.url + "#token=" + page.server.token)
    page.wait("#title")
    assert page.server.token not in page.driver.current_url


def check_model(page, model):
    page.go(model)
    rows = page.wait("table tbody tr")
    assert len(rows) == 13, len(rows)
    counts = page.server.ask(f"v1/models/{model}/census")["motifs"]
    shown = [row.find_elements(By.TAG_NAME, "td")[1].text for row in rows]
    assert shown == [f"{n:,}" for n in counts.values()], (shown, counts)
    next(b for b in page.find("#view button") if b.text == "Compare with random graphs").click()
    page.wait(lambda: "random graphs in which every node keeps its degrees" in page.text())
    assert len(page.find("thead th")) == 5
    page.check("model")


def check_search(page, name):
    """By keyboard alone; then a name that is not there."""
    box = page.find("#q")[0]
    box.click()
    box.send_keys(name[:-1])
    page.wait("#found:not([hidden]) li")
    assert page.find("#q")[0].get_attribute("aria-expanded") == "true"
    page.check("search")
    page.press(Keys.ESCAPE)
    assert not page.find("#found:not([hidden])")
    box.clear()
    box.send_keys(name)
    page.wait(lambda: page.find("#found:not([hidden]) li") and page.find("#found li")[0].get_attribute("data-name") == name)
    page.press(Keys.ARROW_DOWN)
    assert page.find("#found li[aria-selected=true]")[0].get_attribute("data-name") == name
    page.press(Keys.ENTER)
    page.wait(lambda: page.text("#title") == name)
    box = page.find("#q")[0]
    box.send_keys("zzzz" + name, Keys.ENTER)
    page.wait(".problem")
    assert "there is no" in page.text(".problem")
    page.check("unknown")
    page.go(page.driver.execute_script("return model.name"), name)


def check_node(page, model, name):
    said = page.server.ask(f"v1/models/{model}/nodes/{urllib.parse.quote(name, safe='')}")
    page.go(model, name)
    page.wait(".roles li")
    assert len(page.find(".roles li")) == len(said["roles"]) == 30
    assert f"Prediction: {said['class']}" in page.text()
    shares = page.find("table tbody tr")
    assert f"{100 * said['probability']:.1f}%" in shares[0].text or "99.9" in shares[0].text, shares[0].text
    page.check("node")
    check_letters(page, model, name)


def check_letters(page, model, name):
    """Names in drawings can be read, also on a phone."""
    for width in WIDTHS.values():
        page.emulate("light", width)
        page.go(model)
        page.go(model, name)
        page.wait("svg.drawing text")
        smallest = page.driver.execute_script("return Math.min(...[...document.querySelectorAll('svg.drawing text')]"
                                              ".map(t => t.getBoundingClientRect().height))")
        assert smallest >= 11, f"names are {smallest} pixels high at {width}"
        page.keep(f"letters-{width}", "light", width)
    page.emulate("light", 1000)


def sum_of_shares(page):
    return page.driver.execute_script("return [...document.querySelectorAll('#why table')][0] && "
                                      "[...document.querySelectorAll('#why table')[0].tBodies[0].rows]"
                                      ".reduce((sum, r) => sum + Number(r.cells[2].textContent), 0)")


def score_shown(page):
    return page.driver.execute_script(r"return Number(/score (-?[\d.e-]+?)[,.] ?(p|$)/.exec("
                                      "document.querySelector('#why p').textContent)[1])")


def check_explanation(page, name):
    page.wait("#why svg.drawing")
    assert page.focused() == "H2"
    assert abs(sum_of_shares(page) - score_shown(page)) < 0.02, (sum_of_shares(page), score_shown(page))
    next(b for b in page.find("#why button") if b.text.startswith("Check it")).click()
    page.wait(lambda: "Does it hold?" in page.text("#why"))
    page.check(name)
    # A click on another node of the drawing walks on.
    other = next(g for g in page.find("#why svg.drawing g[role=button]")
                 if g.get_attribute("aria-label").startswith("go to "))
    target = other.get_attribute("aria-label").removeprefix("go to ")
    page.driver.execute_script("arguments[0].focus()", other)
    page.press(Keys.ENTER)
    page.wait(lambda: page.text("#title") == target)
    page.driver.back()


def node_with_known_partners(server, model):
    """Among the likeliest twenty."""
    for item in server.ask(f"v1/models/{model}/nodes?q=disease&limit=100")["nodes"]:
        asked = {"node": item["node"], "top": 20, "exclude_known": False}
        if any(pair["known"] for pair in server.ask(f"v1/models/{model}/rank", asked)["pairs"]):
            return item["node"]
    raise AssertionError("no disease has a known partner among the likeliest")


def check_ranking(page, model, name):
    page.go(model, name)
    page.wait("#view table tbody tr")
    said = page.server.ask(f"v1/models/{model}/rank", {"node": name, "top": 20})
    partners = [p["to"] if p["from"] == name else p["from"] for p in said["pairs"]]
    shown = lambda: [a.text for a in page.find("#view table tbody tr td:first-child a")]
    assert shown() == partners, (shown(), partners)
    head = next(b for b in page.find("thead button") if b.text == "partner")
    head.click()
    assert page.find("th[aria-sort=descending]")
    next(b for b in page.find("thead button") if b.text == "partner").click()
    assert shown() == sorted(partners, key=str.casefold) or page.find("th[aria-sort=ascending]")
    page.find("#known")[0].click()
    with_known = page.server.ask(f"v1/models/{model}/rank", {"node": name, "top": 20, "exclude_known": False})["pairs"]
    page.wait(lambda: len(page.find("tr.known")) == sum(p["known"] for p in with_known) > 0)
    assert "(known)" in page.text("tr.known")
    types = Select(page.find("#type")[0])
    assert len(types.options) > 1
    page.check("ranking")
    page.find("#view table tbody tr td button")[0].click()
    check_explanation(page, "pair")


def check_keyboard(page, model, name):
    """Everything that can be clicked is reached by Tab, and shows it."""
    page.go(model, name)
    page.wait(".roles li")
    page.driver.execute_script("document.querySelector('#home').focus()")  # the first; a view begins further down
    reached, last = {"home"}, None
    for _ in range(120):
        page.press(Keys.TAB)
        here = page.driver.execute_script(
            "const e = document.activeElement; if (e === document.body) return null;"
            "const s = getComputedStyle(e), c = e.querySelector('circle');"
            "return [e.id || e.getAttribute('aria-label') || e.textContent.slice(0, 30),"
            " s.outlineStyle !== 'none' || (c && getComputedStyle(c).strokeWidth === '4px')]")
        if here is None:
            break
        assert here[1], f"no mark on {here[0]}"
        reached.add(here[0])
        last = here
    assert {"home", "model", "q"} <= reached and any(r.startswith("go to ") for r in reached), (reached, last)


def check_no_strangers(page):
    asked = page.driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert asked and all(a.startswith(page.server.url) for a in asked), asked
    # What a refused token and an unknown name leave in the console is the browser's own note of 401 and 404.
    messages = [m for m in page.driver.get_log("browser") if "status of 40" not in m["message"]]
    assert not messages, messages


def main():
    mgnn = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    started = time.time()
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        driver = browser(place / "profile")
        server = None
        try:
            axe, why = axe_source(place)
            print("axe-core:", "on every view" if axe else f"skipped: {why}")
            runs = sys.argv[3:5]
            if not runs:
                runs = [str(place / "roles"), str(place / "toykg")]
                run_mgnn(mgnn, "train", "roles", "--epochs", "60", "-o", runs[0])
                run_mgnn(mgnn, "train", "toykg", "--task", "link", "--epochs", "20", "-o", runs[1])
            server = Server(mgnn, runs)
            nodes, links = server.models
            page = Page(driver, server, axe, folder)
            driver.set_window_size(1000, 900)
            page.emulate("light", 1000)
            check_token(page)
            check_model(page, nodes)
            name = server.ask(f"v1/models/{nodes}/nodes?limit=4")["nodes"][3]["node"]
            check_search(page, name)
            check_node(page, nodes, name)
            page.find("table tbody tr button.link")[0].click()
            check_explanation(page, "why")
            check_keyboard(page, nodes, name)
            Select(page.find("#model")[0]).select_by_visible_text(links)
            page.wait(lambda: page.text("#title") == links)
            check_ranking(page, links, node_with_known_partners(server, links))
            check_no_strangers(page)
            print(f"{page.checked} views, light and dark, wide and narrow: {time.time() - started:.0f} s")
        finally:
            driver.quit()
            if server:
                server.stop()


main()
