"""Who sits at the tabs: readers, who look around, and trainers, who put runs beside the others."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from urllib.parse import urlencode

from streamlit.proto.WidgetStates_pb2 import WidgetState

from .tab import Tab, TabError, Widget

# Not a reader's: these start trainings, or change what is trained on.
_NOT_READ = ("pick-repeat", "fold", "data", "letor", "measure")
_MAX_RUNS = 9
_SETS = (
    "data.cubic..cubic-n_queries.100..cubic-n_docs.20",
    "data.cubic..cubic-n_queries.150..cubic-n_docs.20",
    "data.tiny-web..tiny-web-n_queries.60",
)
_METHODS = (
    ("MPBoost", "n_rounds", 60, 160),
    ("RankBoost", "n_rounds", 60, 160),
    ("FRank", "n_rounds", 60, 160),
    ("LambdaMART", "n_trees", 30, 80),
    ("RankNet", "epochs", 60, 160),
)


@dataclass(frozen=True)
class Click:
    """A click: when, of which kind, how long until it was answered, and what went wrong."""

    at: float
    who: str
    kind: str
    seconds: float
    error: str = ""


class Person:
    """Somebody at a tab, clicking at a person's pace until it is time to go."""

    who = "reader"

    def __init__(
        self, url: str, seed: int, think: tuple[float, float], clicks: list[Click], page: str | None = None
    ) -> None:
        self.url, self.think, self.clicks, self.only = url, think, clicks, page
        self.draw = random.Random(seed)
        self.tab = Tab(url)
        self.n_polls = self.n_bytes = 0

    async def stay(self, delay: float, until: float) -> None:
        """Come after `delay` seconds, and stay until that time of the clock."""
        await asyncio.sleep(delay)
        try:
            while time.monotonic() < until:
                self.tab = Tab(self.url)
                if not await self._note("open", self._open()):
                    await self._leave()  # and come again, as a person reloads what does not answer
                    continue
                while time.monotonic() < until:
                    await asyncio.sleep(self.draw.uniform(*self.think))
                    if time.monotonic() >= until or not await self.act():
                        break
                await self._leave()
        finally:
            await self._leave()

    async def act(self) -> bool:
        """Click once; False when the page is broken."""
        widget = self._pick()
        others = [path for path, script in self.tab.pages.items() if script != self.tab.page]
        if self.only is None and others and (widget is None or self.draw.random() < 0.5):
            page = self.tab.pages[self.draw.choice(others)]
            return await self._note("hop", self.tab.click(page=page))
        if widget is None:
            return await self._note("again", self.tab.click())
        state = self._other_value(widget)
        kind = "fragment" if widget.fragment else "control"
        return await self._note(kind, self.tab.click(widget, state))

    async def _open(self) -> float:
        return await self.tab.open(self.only or "")

    async def _leave(self) -> None:
        await self.tab.close()
        self.n_polls, self.tab.n_polls = self.n_polls + self.tab.n_polls, 0
        self.n_bytes, self.tab.n_bytes = self.n_bytes + self.tab.n_bytes, 0

    async def _note(self, kind: str, work) -> bool:
        at, started, before = time.time(), time.perf_counter(), self.tab.n_exceptions
        error = ""
        try:
            seconds = await work
            if self.tab.n_exceptions > before:
                error = "an exception on the page"
        except (TabError, OSError) as wrong:
            seconds, error = time.perf_counter() - started, str(wrong) or type(wrong).__name__
        self.clicks.append(Click(at, self.who, kind, seconds, error))
        return not error

    def _pick(self) -> Widget | None:
        found = [w for w in self.tab.widgets.values() if _is_control(w)]
        return self.draw.choice(found) if found else None

    def _other_value(self, widget: Widget) -> WidgetState:
        own = widget.element
        state = WidgetState(id=own.id)
        if widget.kind == "button_group":
            held = list(widget.state.string_array_value.data)
            other = [option.content for option in own.options if option.content not in held]
            state.string_array_value.data.append(self.draw.choice(other))
        else:
            steps = round((own.max - own.min) / own.step)
            state.double_array_value.data.append(own.min + own.step * self.draw.randint(0, steps))
        return state


class Trainer(Person):
    """Comes by a link to runs that nobody has trained, and adds another every few clicks."""

    who = "trainer"

    async def act(self) -> bool:
        """Add a run, or read."""
        if self.draw.random() > 0.35:
            return await super().act()
        button = self._named("train")
        seed = self._named("new:MPBoost-random_state")
        if button is None or seed is None or len(self._named_all("base-")) > _MAX_RUNS:
            link = urlencode({"s": self._link(), "via": "link"})
            return await self._note("link", self.tab.click(page=self.tab.pages["compare"], link=link))
        state = WidgetState(id=seed.element.id, double_value=float(self.draw.randrange(2**31)))
        if not await self._note("control", self.tab.click(seed, state)):
            return False
        await asyncio.sleep(self.draw.uniform(1.0, 2.0))
        button = self._named("train")
        if button is None:
            return True
        press = WidgetState(id=button.element.id, trigger_value=True)
        return await self._note("train", self.tab.click(button, press))

    async def _open(self) -> float:
        page = self.draw.choice(("", "compare")) if self.only is None else self.only
        return await self.tab.open(page, urlencode({"s": self._link()}))

    def _link(self) -> str:
        """Return a link to two runs that nobody has asked for."""
        runs = []
        for slot, (name, rounds, low, high) in enumerate(self.draw.sample(_METHODS, 2)):
            seed = self.draw.randrange(2**31)
            runs.append(f"r{slot}.{name}.{rounds}.{self.draw.randint(low, high)}.random_state.{seed}")
        return "..".join((self.draw.choice(_SETS), *runs))

    def _named(self, key: str) -> Widget | None:
        found = [w for w in self.tab.widgets.values() if w.key == key]
        return found[0] if found and not found[0].element.disabled else None

    def _named_all(self, prefix: str) -> list[Widget]:
        return [w for w in self.tab.widgets.values() if w.key.startswith(prefix)]


def _is_control(widget: Widget) -> bool:
    own = widget.element
    if own.__class__.__name__ not in ("ButtonGroup", "Slider") or own.disabled or widget.key in _NOT_READ:
        return False
    if widget.kind == "slider":
        return (
            not own.options
            and own.step > 0
            and own.max > own.min
            and len(widget.state.double_array_value.data) == 1
        )
    return len(own.options) > 1
