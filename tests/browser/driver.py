"""A headless browser for the checks beside this file; exits with 77 (skipped) where there is none."""
import subprocess
import sys

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
except ImportError:
    print("skipped: no python3-selenium here")
    sys.exit(77)


def browser(profile):
    options = Options()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--hide-scrollbars", f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = "/usr/bin/chromium"
    try:
        return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    except WebDriverException as error:
        print("skipped: no chromium with driver here:", error.msg)
        sys.exit(77)


def run_mgnn(*arguments):
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
