"""Step through in a real browser: playing, scrubbing, keyboard, links, themes, a phone."""

from __future__ import annotations

import re

import pytest

from tests.browser.visit import await_idle, await_still

LINK = "data.tiny..runs.none"

PLOT = "document.querySelector('.st-key-stage .js-plotly-plot')"
FIELD = "document.querySelector('.st-key-step_round input').value"
READ = """() => {
  const plot = document.querySelector(".st-key-stage .js-plotly-plot"), n = plot.data.length;
  const frame = plot._transitionData._frames[plot._fullLayout.sliders[0].active];
  const drawn = [...plot.querySelector(".scatterlayer").querySelectorAll(".trace")].slice(0, 4)
    .map((trace) => [...trace.querySelectorAll("text")]);
  return {
    round: plot._fullLayout.sliders[0].active, last: plot._fullLayout.sliders[0].steps.length - 1,
    ranks: [...plot.data[n - 10].y], wanted: [...frame.data[0].y],
    scores: drawn[2].map((t) => t.textContent), shifts: drawn[3].map((t) => t.textContent),
    heights: drawn[1].map((t) => Math.round(t.getBoundingClientRect().top)),
    loss: [...new Set(plot.data[n - 4].x)], measure: [...new Set(plot.data[n - 1].x)],
    reached: [6, 5, 3, 2].map((back) => Math.max(...plot.data[n - back].x)),
    said: document.querySelector(".player .where").textContent,
  };
}"""

# The slider at its round, the traces at round 0: what is left of an animation under way when Streamlit hands
# plotly the figure again.
LOST = """() => {
  const plot = document.querySelector(".st-key-stage .js-plotly-plot");
  const first = plot._transitionData._frames[0];
  first.data.forEach((trace, i) => Object.assign(plot.data[first.traces[i]], structuredClone(trace)));
}"""


@pytest.fixture
def wire(page):
    """What the page sends to the server, and what goes wrong in it."""
    found = {"sent": 0, "wrong": []}

    def opened(socket):
        socket.on("framesent", lambda _: found.__setitem__("sent", found["sent"] + 1))

    page.on("websocket", opened)
    page.on("pageerror", lambda error: found["wrong"].append(str(error)))
    page.on("console", lambda m: found["wrong"].append(m.text) if m.type == "error" else None)
    return found


def open_step(page, server, *words, **others):
    more = "".join(f"&{name}={value}" for name, value in others.items())
    page.goto(f"{server}/step_through?s={'..'.join([LINK, *words])}{more}")
    settled(page)


def settled(page):
    """Wait until the picture shows the round that its bar says, and nothing runs."""
    page.wait_for_selector(".st-key-stage .driven, .st-key-stage.driven")
    await_idle(page)


def shows(page, number):
    """Wait until picture, bar and field show a round, and read the picture."""
    page.wait_for_function(
        f"""() => {{
          const plot = document.querySelector('.st-key-stage .js-plotly-plot');
          const said = document.querySelector('.player .where')?.textContent;
          if (plot?._fullLayout.sliders[0].active !== {number} || !said.startsWith('Round {number} of'))
            return false;
          const read = ({READ})();
          return String(read.ranks) === String(read.wanted);
        }}""",
    )
    await_still(page, ".st-key-stage .scatterlayer text")
    return page.evaluate(READ)


def press(page, name):
    page.locator(f".player [data-go={name}]").click()


def consistent(read):
    """List, scores, shifts and both cursors are those of one round."""
    assert read["ranks"] == read["wanted"] and sorted(read["ranks"]) == list(range(1, 9))
    assert read["loss"] == read["measure"] == [read["round"]]
    assert read["reached"] == [read["round"]] * 4  # the curves are drawn as they grow
    order = sorted(range(8), key=lambda i: read["ranks"][i])
    heights = [read["heights"][i] for i in order]
    assert heights == sorted(heights)  # where the texts stand on screen
    scores = [float(read["scores"][i].replace("−", "-")) for i in order]
    assert scores == sorted(scores, reverse=True)


def test_play_runs_through_all_rounds_without_a_word_to_the_server(page, server, wire):
    open_step(page, server, "step_round.0", "step_rounds.40")
    page.wait_for_function("!document.body.innerText.includes('Compiling')")  # it polls
    first = shows(page, 0)
    assert first["last"] == 40 and set(first["shifts"]) == {"·"}
    button = page.evaluate(f"{PLOT}._fullLayout.updatemenus[0].buttons[0].args[1]")
    assert button["frame"]["duration"] <= 1000 / 20 and button["frame"]["redraw"] is False
    page.evaluate(f"window.seen = []; {PLOT}.on('plotly_animatingframe', (frame) => seen.push(+frame.name));")
    sent = wire["sent"]
    press(page, "play")
    page.wait_for_function("window.seen.at(-1) === 40")
    assert wire["sent"] == sent
    assert page.evaluate("window.seen.slice(-41)") == list(range(41))
    consistent(shows(page, 40))
    page.wait_for_function(f"{FIELD} === '40'")
    assert not [text for text in wire["wrong"] if "404" not in text]


def test_the_slider_moves_list_loss_and_measure_together(page, server):
    open_step(page, server, "step_round.3", "step_rounds.12")
    consistent(shows(page, 3))
    slider = page.locator(".player input[type=range]")
    for number in (7, 12, 0, 5):
        slider.fill(str(number))
        read = shows(page, number)
        assert read["round"] == number
        if number:
            consistent(read)
    page.evaluate(LOST)
    consistent(shows(page, 5))


def test_step_back_and_the_keyboard_reach_every_round(page, server):
    open_step(page, server, "step_round.2", "step_rounds.9")
    previous = shows(page, 2)
    press(page, "step")
    now = shows(page, 3)
    moved = [a - b for a, b in zip(previous["ranks"], now["ranks"], strict=True)]
    said = [0 if s == "=" else int(s[2:]) * (1 if s[0] == "▲" else -1) for s in now["shifts"]]
    assert said == moved  # ▲▼ is the difference of the ranks
    press(page, "back")
    shows(page, 2)
    page.locator(".player [data-go=play]").focus()
    for key, number in (("End", 9), ("ArrowLeft", 8), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        shows(page, number)
    page.locator(".player input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    shows(page, 2)
    page.wait_for_function(f"{FIELD} === '2'")


def test_pause_rests_on_a_round_and_the_formulas_follow(page, server):
    open_step(page, server, "step_round.0", "step_rounds.60")
    page.evaluate(f"window.seen = []; {PLOT}.on('plotly_animatingframe', (frame) => seen.push(+frame.name));")
    page.locator(".player [data-slow]").check()
    press(page, "play")
    page.wait_for_function("window.seen.at(-1) >= 2")
    press(page, "play")  # which is Pause by now
    number = int(re.search(r"\d+", page.locator(".player .where").inner_text())[0])
    assert 2 <= number < 60
    shows(page, number)
    await_idle(page)  # the pages under way have arrived
    consistent(shows(page, number))
    page.wait_for_function(f"{FIELD} === '{number}'")
    page.wait_for_function(f"location.search.includes('step_round.{number}')")


def test_what_plays_slowly_is_explained_as_it_goes_and_only_its_rest_is_a_step(page, server):
    open_step(page, server, "step_round.0", "step_rounds.30", "step_pace.slowly")
    assert page.locator(".player [data-slow]").is_checked()
    steps, link = page.evaluate("history.length"), page.url
    sentence, first = page.locator("h3.panel", has_text="adds"), ""
    press(page, "play")
    for _ in range(3):  # the formulas follow, round after round
        page.wait_for_function(
            "first => [...document.querySelectorAll('h3.panel')].find(h => h.innerText.includes('adds'))"
            "?.innerText !== first && document.querySelector('.player .main').innerText.includes('Pause')",
            arg=first,
        )
        first = sentence.inner_text()
    assert page.url == link and page.evaluate("history.length") == steps
    press(page, "play")  # which is Pause by now
    page.wait_for_function("address => location.href !== address", arg=link)
    await_idle(page)
    number = int(page.evaluate(FIELD))
    consistent(shows(page, number))
    assert f"step_round.{number}" in page.url and page.evaluate("history.length") == steps + 1


def test_the_field_takes_the_picture_along_and_a_link_opens_the_same_round(page, server, browser):
    open_step(page, server, "step_algorithm.RankBoost", "step_learn.all", "step_query.4")
    page.locator(".st-key-step_round input").fill("11")
    page.keyboard.press("Enter")
    consistent(shows(page, 11))
    page.wait_for_function("location.search.includes('step_round.11')")
    settled(page)
    sentence = page.locator("h3.panel", has_text="adds").inner_text()
    mine = shows(page, 11)
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    other = context.new_page()
    other.goto(page.url)
    settled(other)
    theirs = shows(other, 11)
    assert other.locator("h3.panel", has_text="adds").inner_text() == sentence
    assert {k: theirs[k] for k in ("ranks", "scores", "shifts")} == {
        k: mine[k] for k in ("ranks", "scores", "shifts")
    }
    context.close()


def test_page_hops_and_another_theme_lose_nothing(page, server):
    open_step(page, server, "step_round.6", "step_algorithm.FRank")
    before = shows(page, 6)
    page.emulate_media(color_scheme="dark")
    settled(page)  # the picture is made anew in other colours
    after = shows(page, 6)
    assert after["scores"] == before["scores"]
    page.get_by_role("link", name="Shapes").click()
    page.wait_for_selector(".st-key-ddf .js-plotly-plot")
    page.get_by_role("link", name="Step through").click()
    settled(page)
    assert shows(page, 6)["scores"] == before["scores"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_down_only(browser, server, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    open_step(page, server, "step_round.4")
    shows(page, 4)
    wide = page.evaluate("""() => {
      const main = document.querySelector('[data-testid="stMain"]');
      return [document.documentElement.scrollWidth <= innerWidth, main.scrollWidth <= main.clientWidth];
    }""")
    assert wide == [True, True]
    press(page, "step")
    consistent(shows(page, 5))
    context.close()
