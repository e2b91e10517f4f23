"""The pages in a browser: read from end to end on a phone and a desk, by mouse and keyboard."""

from collections.abc import Iterator
from urllib.parse import urldefrag, urlsplit

import httpx
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from domain.registry import GAMES
from service.http.docs import links
from tests.kit.browser import Browser

NARROW, WIDE = (360, 740), (1280, 900)
PAGES = (
    links.HOME,
    links.REFERENCE,
    links.SCHEMAS,
    links.CONTRACT,
    *(links.guide_url(name) for name in links.GUIDES),
    *(links.rules_url(game) for game in GAMES),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests here."""
    made = Browser()
    yield made
    made.close()


@pytest.fixture
def home(browser: Browser, address: str) -> str:
    """Where the server is; the browser is as new."""
    browser.scripts(run=True)
    browser.scheme("light")
    browser.size(*WIDE)
    browser.driver.get("about:blank")
    browser.console()
    browser.asked()
    return f"http://{address}"


def test_a_reader_comes_from_the_first_page_to_every_other(browser: Browser, home: str) -> None:
    ahead, seen, anchors = [f"{home}{links.HOME}"], set(), set()
    while ahead:
        url = ahead.pop()
        seen.add(url)
        browser.driver.get(url)
        found = browser.measure("[...document.querySelectorAll('a')].map(a => a.href)")
        anchors |= set(found)
        pages = {urldefrag(link).url for link in found}
        ahead += [p for p in pages - seen - set(ahead) if urlsplit(p).path.startswith("/docs")]
        assert browser.console() == [], url
    assert {urlsplit(url).path for url in seen} == set(PAGES)
    assert all(urlsplit(url).netloc == urlsplit(home).netloc for url in browser.asked())
    with httpx.Client(trust_env=False) as client:
        for url in {urldefrag(link).url for link in anchors} - seen:
            assert client.get(url).status_code == 200, url


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_every_page_fits_its_window(browser: Browser, home: str, size: tuple[int, int]) -> None:
    browser.size(*size)
    for path in PAGES:
        browser.driver.get(home + path)
        wide = browser.measure("document.documentElement.scrollWidth")
        assert wide <= size[0], f"{path} is {wide} wide"
        # What is longer than its line scrolls by itself, and a keyboard can reach it.
        stuck = browser.measure(
            "[...document.querySelectorAll('pre, .wide')]"
            ".filter(e => e.scrollWidth > e.clientWidth && e.tabIndex < 0).length"
        )
        assert stuck == 0, path
        if size == NARROW:
            small = browser.measure(
                "[...document.querySelectorAll('main *')].filter(e => e.childElementCount == 0 &&"
                " e.innerText && parseFloat(getComputedStyle(e).fontSize) < 12).length"
            )
            assert small == 0, path
    assert browser.console() == []


def shorten(browser: Browser) -> None:
    """Leave every eighth operation or schema: they are all of one make, and an audit takes long."""
    browser.driver.execute_script(
        "document.querySelectorAll('.contents li:nth-child(n+20), .call:nth-of-type(8n+1) ~ .call"
        ":not(:nth-of-type(8n+1)), .schema:not(:nth-of-type(8n+1))').forEach(e => e.remove())"
    )


def test_every_page_is_for_everybody(browser: Browser, home: str) -> None:
    for path in PAGES:
        browser.driver.get(home + path)
        shorten(browser)
        assert browser.audit() == [], path


def test_colours_can_be_read_in_the_dark_too(browser: Browser, home: str) -> None:
    papers = []
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        browser.driver.get(home + links.guide_url("errors"))
        assert browser.audit("color-contrast") == []
        papers.append(browser.measure("getComputedStyle(document.body).backgroundColor"))
    assert papers[0] != papers[1]
    browser.driver.get(home + links.REFERENCE)
    shorten(browser)
    assert browser.audit("color-contrast") == []


def test_pages_are_whole_where_scripts_are_off(browser: Browser, home: str) -> None:
    texts = {}
    for path in PAGES:
        browser.driver.get(home + path)
        texts[path] = browser.measure("document.querySelector('main').innerText")
    browser.scripts(run=False)
    for path in PAGES:
        browser.driver.get(home + path)
        assert browser.measure("document.querySelector('main').innerText") == texts[path], path
        assert len(texts[path]) > 500, path
    browser.driver.get(home + links.HOME)
    browser.driver.find_element(By.LINK_TEXT, "Operations").click()
    assert browser.driver.current_url == home + links.REFERENCE


def test_the_navigation_opens_where_the_reader_is(browser: Browser, home: str) -> None:
    browser.size(*NARROW)
    browser.driver.get(home + links.rules_url("tuyaux"))
    current = browser.driver.find_elements(By.CSS_SELECTOR, "[aria-current=page]")
    assert [link.text for link in current] == ["Tuyaux"]
    assert current[0].is_displayed()
    nav = browser.driver.find_element(By.CSS_SELECTOR, "header nav")
    guide = nav.find_element(By.CSS_SELECTOR, f"[href='{links.guide_url('first-bot')}']")
    assert not guide.is_displayed()
    nav.find_element(By.XPATH, ".//summary[text()='Guides']").click()
    guide.click()
    assert browser.driver.current_url == home + links.guide_url("first-bot")


def test_a_keyboard_can_skip_the_navigation(browser: Browser, home: str) -> None:
    browser.driver.get(home + links.HOME)
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    skip = browser.driver.switch_to.active_element
    assert skip.text == "Skip to the content"
    assert browser.measure("document.activeElement.getBoundingClientRect().left") >= 0
    skip.send_keys(Keys.ENTER)
    assert browser.driver.current_url.endswith("#content")


def test_a_rule_is_found_by_its_id(browser: Browser, home: str) -> None:
    for game, rule in (("bookmaker", "BM-B1"), ("tuyaux", "TU-E3")):
        browser.driver.get(f"{home}{links.rules_url(game)}#{rule}")
        top = browser.measure(f"document.getElementById('{rule}').getBoundingClientRect().top")
        assert 0 <= top < WIDE[1]
        assert browser.driver.find_element(By.CSS_SELECTOR, ":target").text.startswith(rule)


def test_no_page_can_be_made_to_run_a_script(browser: Browser, home: str) -> None:
    browser.driver.get(home + links.HOME)
    browser.driver.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        "document.body.append(s); const i = document.createElement('img');"
        "i.src = 'http://127.0.0.2:9/x.png'; document.body.append(i);"
    )
    assert browser.measure("window.ran === undefined")
    said = " ".join(browser.console())
    assert "script-src" in said
    assert "img-src" in said
