"""Learn in a real browser: pages put in order, and what is done outlives the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.ui.learn.course import LESSONS
from pages.ui.learn.lessons import ranking, rounds
from tests.browser.visit import await_finished, await_idle, await_still, button, set_number, troubles, visit

pytestmark = pytest.mark.browser
CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")


def test_a_student_puts_a_list_in_order_and_is_remembered(page, server):
    visit(page, server, link="data.tiny..runs.none")
    page.get_by_role("link", name="New here?").click()
    expect(page.locator("p.headline")).to_contain_text("11 short lessons")
    page.locator(".st-key-open-0 button").click()
    given = ranking.listed(0, few=True)
    set_number(page, "learn-0-0-pairs", given.pairs())
    await_idle(page)
    set_number(page, "learn-0-0-wrong", given.wrong())
    order = page.locator("ol.pages li")
    expect(order).to_have_count(len(given.y))
    grades = [int(text.split()[0]) for text in order.all_inner_texts()]
    for place, grade in enumerate(sorted(grades, reverse=True)):  # by keyboard: each page up to its place
        at = grades.index(grade, place)
        for _ in range(at - place):
            order.nth(at).locator("[data-way=up]").focus()
            page.keyboard.press("Enter")
            grades.insert(at - 1, grades.pop(at))
            at -= 1
            await_idle(page)
    expect(page.locator("p.headline")).to_contain_text(f"0 of {given.pairs()} pairs")
    done = page.get_by_test_id("stButtonGroup").get_by_text("✓ What is ranking?")
    expect(done).to_be_visible()
    assert troubles(page) == []
    page.reload()
    page.get_by_role("button", name="Copy link").wait_for()
    expect(done).to_be_visible()  # the browser remembers; the lesson itself opens unsolved
    expect(page.get_by_test_id("stAlert").filter(has_text="Goal met")).to_have_count(0)


def test_a_page_is_dragged(page, server):
    visit(page, server, path="/learn", link="data.tiny..runs.none..learn.0")
    given = ranking.listed(0, few=True)
    set_number(page, "learn-0-0-pairs", given.pairs())
    await_idle(page)
    set_number(page, "learn-0-0-wrong", given.wrong())
    order = page.locator("ol.pages li .words")
    expect(order).to_have_count(len(given.y))
    before = order.all_inner_texts()
    page.locator("ol.pages li").nth(1).drag_to(page.locator("ol.pages li").nth(0))
    expect(order.nth(0)).to_have_text(before[1])
    await_idle(page)
    expect(page.locator("p.headline")).to_contain_text(
        f"{given.wrong([1, 0, 2, 3, 4])} of {given.pairs()} pairs"
    )


def test_a_word_of_the_field_is_told(page, server):
    visit(page, server)
    await_finished(page)
    await_idle(page)
    term = page.locator("p.headline .term").first
    term.focus()
    assert len(term.get_attribute("data-told")) > 20
    told = "el => getComputedStyle(el, '::after').content"
    assert term.get_attribute("data-told")[:20] in term.evaluate(told)


# As when Streamlit draws the page anew.
GONE_FOR_A_MOMENT = """() => new Promise((done) => {
  const names = [".st-key-lesson h3.panel", ".st-key-present-turn"];
  const parts = names.map((name) => document.querySelector(name));
  const places = parts.map((part) => part.parentElement);
  parts.forEach((part) => part.remove());
  setTimeout(() => { parts.forEach((part, at) => places[at].prepend(part)); setTimeout(done, 100); }, 100);
})"""


def test_in_a_hall_keys_turn_the_lessons(page, server):
    page.goto(f"{server}/learn?learn=3&present=1")
    title = page.locator(".st-key-lesson h3.panel").first
    expect(title).to_contain_text("Lesson 3")
    await_idle(page)
    question = page.get_by_text("With which will the six lists")
    expect(question).to_be_hidden()  # one idea first; the rest block by block
    page.keyboard.press("PageDown")
    expect(question).to_be_visible()
    expect(title).to_contain_text("Lesson 3")
    size = "el => parseFloat(getComputedStyle(el).fontSize)"
    captions = page.locator(".st-key-lesson span.note")
    assert captions.count() and all(one.evaluate(size) >= 20 for one in captions.all())
    page.keyboard.press("PageDown")
    expect(title).to_contain_text("Lesson 4")
    expect(page.get_by_text("The heaviest pairs")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.get_by_text("The heaviest pairs")).to_be_visible()
    page.evaluate(GONE_FOR_A_MOMENT)
    expect(title).to_contain_text("Lesson 4")
    expect(page.get_by_text("The heaviest pairs")).to_be_visible()
    await_idle(page)
    assert page.locator(".st-key-lesson [data-testid=stMarkdownContainer] p").first.evaluate(size) >= 20
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Copy link").wait_for()
    expect(title).to_contain_text("Lesson 4")


# The letters of what is written in a lesson's charts, and which of them is cut off by its chart's edge.
IN_CHARTS = """() => [...document.querySelectorAll(".st-key-lesson .js-plotly-plot")].map((plot) => {
  const frame = plot.getBoundingClientRect();
  const texts = [...plot.querySelectorAll("svg text")].filter((text) => text.textContent.trim());
  const inner = texts.flatMap((text) => [text, ...text.querySelectorAll("tspan:not([dy])")]);
  const isOut = (box) => box.left < frame.left - 1 || box.right > frame.right + 1
    || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  return {
    sizes: inner.map((text) => parseFloat(getComputedStyle(text).fontSize)),
    cut: texts.filter((text) => isOut(text.getBoundingClientRect())).map((text) => text.textContent),
    touching: [".xtick text", ".ytick text", ".annotation text", ".heatmap-label text"].flatMap((kind) => {
      const boxes = texts.filter((text) => text.matches(kind)).map((text) => text.getBoundingClientRect());
      return boxes.filter((box, at) => boxes.slice(at + 1).some((other) => box.left < other.right
        && other.left < box.right && box.top + 5 < other.bottom && other.top + 5 < box.bottom));
    }),
  };
})"""


def choose_stump(page):
    """Take the first stump that lesson 4 offers; scrolling would close the list again."""
    box = page.locator(".st-key-blocks").get_by_role("combobox").first
    box.evaluate("box => box.scrollIntoView({ block: 'center' })")
    await_still(page, ".st-key-blocks [role=combobox]")
    box.click()
    page.get_by_role("option").first.click()
    await_idle(page)


@pytest.mark.parametrize("lesson", ["3", "4", "5", "6", "7", "8"])
def test_in_a_hall_charts_have_its_letters(browser, server, lesson):
    """Each lesson with a chart, at the size of an old projector."""
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    page = context.new_page()
    page.goto(f"{server}/learn?learn={lesson}&present=1")
    blocks = page.locator(".st-key-blocks")
    expect(blocks).to_be_visible()
    await_idle(page)
    page.keyboard.press("End")
    reveal = blocks.get_by_role("button", name="That is my prediction")
    if reveal.count():
        blocks.get_by_role("radiogroup").locator("label").first.click()
        reveal.click()
    if lesson == "4":
        choose_stump(page)
    if lesson == "7":
        button(page, "learn-7-0-many").click()
    page.locator(".st-key-lesson .js-plotly-plot .main-svg text").first.wait_for()
    await_idle(page)
    (chart,) = page.evaluate(IN_CHARTS)
    assert len(chart["sizes"]) > 8 and min(chart["sizes"]) >= 20
    assert chart["cut"] == [] and chart["touching"] == []
    context.close()


# The letters of a lesson's formulas, those above and below the line too, and which of them are cut off.
IN_FORMULAS = """() => {
  const formulas = [...document.querySelectorAll(".st-key-lesson :is(.katex-html, sup, sub)")];
  const pieces = formulas.flatMap((formula) => {
    const walker = document.createTreeWalker(formula, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found.filter((piece) => /[^\\s\\u200b]/.test(piece.textContent));
  });
  const box = (piece) => {
    const range = document.createRange();
    range.selectNodeContents(piece);
    return range.getBoundingClientRect();
  };
  const isCut = (piece) => {
    for (let around = piece.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === "visible") continue;
      const frame = around.getBoundingClientRect();
      if (box(piece).right > frame.right + 1 || box(piece).left < frame.left - 1) return true;
    }
    return box(piece).right > innerWidth;
  };
  return {
    sizes: pieces.map((piece) => parseFloat(getComputedStyle(piece.parentElement).fontSize)),
    cut: pieces.filter(isCut).map((piece) => piece.textContent),
  };
}"""


# What a lesson's tables say that has to be scrolled to, or the page itself to the side.
CUT_TABLES = """() => [...document.querySelectorAll(".st-key-lesson .scroll, [data-testid=stMain]")]
  .filter((frame) => frame.scrollWidth > frame.clientWidth + 1).map((frame) => frame.innerText)"""


@pytest.mark.parametrize("lesson", ["1", "4", "5", "8"])
def test_in_a_hall_the_smallest_letters_of_formulas_are_read(browser, server, lesson):
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    page = context.new_page()
    page.goto(f"{server}/learn?learn={lesson}&present=1")
    expect(page.locator(".st-key-blocks")).to_be_visible()
    await_idle(page)
    page.keyboard.press("End")
    if lesson == "4":  # the whole formula, solved
        choose_stump(page)
        stage = rounds.stage(0)
        t = rounds.first_round(stage)
        _, _, after, value = rounds.question(stage, t)
        set_number(page, f"learn-4-0-a-{t}", round(value, 2))
        await_idle(page)
        set_number(page, f"learn-4-0-score-{t}", round(after, 2))
        await_idle(page)
        expect(page.locator(".katex-display")).to_contain_text("misordered")
    page.locator(".st-key-lesson .katex-html").first.wait_for()
    told = page.evaluate(IN_FORMULAS)
    assert len(told["sizes"]) > 2 and min(told["sizes"]) >= 20
    assert told["cut"] == []
    assert page.evaluate(CUT_TABLES) == []
    context.close()


@pytest.mark.parametrize("lesson", ["0", "1", "2", "3", "4", "9", "10"])
def test_a_lessons_tables_fit_a_telephone(browser, server, lesson):
    """As it opens; lesson 3 with its lists, lesson 1 with the columns that it shows in the end."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{server}/learn?learn={lesson}")
    blocks = page.locator(".st-key-blocks")
    expect(blocks).to_be_visible()
    await_idle(page)
    if lesson == "3":
        blocks.get_by_role("radiogroup").locator("label").first.click()
        blocks.get_by_role("button", name="That is my prediction").click()
        expect(page.get_by_text("” after 6 rounds")).to_be_visible()
        await_idle(page)
    if lesson == "1":
        given = ranking.listed(0)
        ideal = ranking.Listed(given.query, given.names, np.sort(given.y)[::-1])
        worths = [ranking.by_hand(one).head(3)["worth"].sum() for one in (given, ideal)]
        for name, value in zip(("dcg", "ideal", "ndcg"), (*worths, given.ndcg()), strict=True):
            set_number(page, f"learn-1-0-{name}", round(float(value), 2))
            await_idle(page)
        expect(page.get_by_text("Goal met")).to_be_visible()
    assert page.locator(".st-key-lesson table.runs").count()
    assert page.evaluate(CUT_TABLES) == []
    context.close()


def test_a_class_sees_its_board_grow_and_paper_has_nothing_to_click(browser, page, server):
    visit(page, server, path="/teach", link="data.tiny..runs.none..teach_lessons.0")
    await_idle(page)
    button(page, "class-open").click()
    address = page.get_by_test_id("stCode").inner_text().strip()
    assert "teacher=" in page.url and "teacher=" not in address
    assert page.locator("img.qr").evaluate("img => img.complete && img.naturalWidth > 0")
    context = browser.new_context(viewport={"width": 390, "height": 800})
    student = visit(context.new_page(), "", address)
    student.get_by_role("textbox", name="Your name, or any word").fill("Ann")
    student.get_by_role("button", name="Join", exact=True).click()
    expect(student.locator(".st-key-attending")).to_contain_text("as Ann: 0 of 1 done")
    expect(page.get_by_role("rowheader", name="Ann")).to_be_visible()  # by itself
    context.close()
    page.reload()
    expect(page.get_by_role("rowheader", name="Ann")).to_be_visible()  # the address is the key
    page.get_by_role("link", name="Solutions").first.click()
    expect(page.locator(".st-key-lesson")).to_contain_text("To keep:")
    expect(page.locator("button.print")).to_be_visible()
    assert "teacher=" not in page.url
    page.emulate_media(media="print")
    expect(page.locator("button.print")).to_be_hidden()
    expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
    assert troubles(page) == []


@pytest.mark.parametrize("half", [0, 1])
def test_every_word_of_the_course_is_read_in_both_themes(page, server, half):
    """The solutions on paper: nearly all that a lesson says, at once."""
    visit(page, server, path="/learn", link="data.tiny..runs.none")
    for number in list(LESSONS)[half::2]:
        page.goto(f"{server}/learn?s=data.tiny..learn.{number}..learn_paper.solutions..runs.none")
        expect(page.locator(".st-key-lesson")).to_contain_text("To keep:")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(
                "dark => matchMedia('(prefers-color-scheme: dark)').matches === dark", arg=scheme == "dark"
            )
            await_idle(page)
            assert page.evaluate(CONTRAST) == [], (number, scheme)


def test_a_lesson_is_done_by_keyboard(page, server):
    visit(page, server, path="/learn", link="data.tiny..runs.none..learn.3")
    await_idle(page)
    page.locator(".st-key-lesson").get_by_role("heading").first.click()  # from there on nothing but keys

    def tab_to(role: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("role => document.activeElement.matches(role)", role):
                return
        raise AssertionError(f"Tab does not lead to {role}")

    tab_to(".st-key-blocks input[type=radio]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    await_idle(page)
    tab_to(".st-key-blocks button:not([aria-label]):not([data-testid*=elem])")
    page.keyboard.press("Enter")
    expect(page.get_by_text("” after 6 rounds")).to_be_visible()
