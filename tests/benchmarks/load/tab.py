"""One browser tab without the browser: a WebSocket that speaks Streamlit's protocol as its frontend does.

It keeps what the frontend keeps, because all of it is load: the widgets on screen, whose values go along
with every request; the link in the address; the large messages the server need not send again; and the
timers of the fragments with `run_every`, which ask again at their interval whether or not the last answer
has come.
"""

from __future__ import annotations

import asyncio
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from .states import STATES

_XSRF = "_streamlit_xsrf"
_SUCCESS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class TabError(Exception):
    """What a person would call broken: no answer in time, a line that is cut, an exception on the page."""


@dataclass
class Widget:
    """A widget on screen: its element, what it is set to, and where it belongs."""

    kind: str
    element: Any
    state: WidgetState
    fragment: str
    script: str
    run: str

    @property
    def key(self) -> str:
        """The key that the app gave it; ids are $$ID-hash-key."""
        return self.element.id.split("-", 2)[2]


@dataclass
class _Click:
    """A click that is not answered yet: by a run of the whole page, or of the fragment clicked in."""

    fragment: str
    page: str
    done: asyncio.Future
    run: str = ""

    def is_begun_by(self, fragments: list[str], page: str) -> bool:
        """Whether a new run can be the one asked for."""
        if fragments:
            return self.fragment in fragments
        return not self.page or self.page == page


class Tab:
    """A tab, opened with `open`; `click` sends what a click sends and waits for the page to be drawn."""

    def __init__(self, url: str, patience: float = 60.0) -> None:
        self.url, self.patience = url, patience
        self.widgets: dict[str, Widget] = {}
        self.pages: dict[str, str] = {}  # path in the URL: script hash
        self.query: dict[str, str] = {}
        self.page = self.main = ""
        self.n_polls = self.n_exceptions = self.n_bytes = 0
        self._socket: ClientConnection | None = None
        self._timers: dict[str, tuple[float, asyncio.TimerHandle]] = {}
        self._cache: dict[str, tuple[ForwardMsg, str, int]] = {}
        self._max_age, self._n_runs, self._run = 2, 0, ""
        self._click: _Click | None = None
        self._tasks: set[asyncio.Task] = set()

    async def open(self, path: str = "", query: str = "") -> float:
        """Load a page as its first visitor does and return how many seconds that took."""
        started = time.perf_counter()
        token = await asyncio.to_thread(self._fetch_token)
        self._socket = await connect(
            self.url.replace("http", "ws", 1) + "/_stcore/stream",
            origin=self.url,  # type: ignore[arg-type]
            subprotocols=["streamlit", token],  # type: ignore[list-item]
            additional_headers={"Cookie": f"{_XSRF}={token}"},
            max_size=None,
            proxy=None,
            open_timeout=self.patience,
            ping_interval=None,
        )
        self._spawn(self._read(self._socket))
        self.query = dict(parse_qsl(query))
        await self._ask(_Click("", "", asyncio.get_running_loop().create_future()), page_name=path)
        return time.perf_counter() - started

    async def click(
        self, widget: Widget | None = None, state: WidgetState | None = None, page: str = "", link: str = ""
    ) -> float:
        """Set a widget, or go to a page (`link` is the query of a link in the app); return the seconds."""
        started = time.perf_counter()
        click = _Click(widget.fragment if widget else "", page, asyncio.get_running_loop().create_future())
        trigger = None
        if widget is not None and state is not None:
            if state.HasField("trigger_value"):
                trigger = state
            else:
                widget.state = state
        if page and page != self.page:
            self._stop_polls()
            self.widgets = {key: w for key, w in self.widgets.items() if w.script == self.main}
        query = {**self.query, **dict(parse_qsl(link))}
        await self._ask(click, trigger, query)
        return time.perf_counter() - started

    async def close(self) -> None:
        """Close the tab."""
        self._stop_polls()
        if self._socket is not None:
            await self._socket.close()
        for task in self._tasks:
            task.cancel()

    @property
    def is_polling(self) -> bool:
        """Whether something on the page draws itself anew by itself."""
        return bool(self._timers)

    def _fetch_token(self) -> str:
        with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=self.patience) as answer:
            cookies = SimpleCookie(answer.headers.get("Set-Cookie", ""))
        return cookies[_XSRF].value

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._end_of)

    def _end_of(self, task: asyncio.Task) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._fail(str(task.exception()))

    def _fail(self, reason: str) -> None:
        self._stop_polls()
        if self._click is not None and not self._click.done.done():
            self._click.done.set_exception(TabError(reason))

    # What goes out

    async def _ask(
        self,
        click: _Click,
        trigger: WidgetState | None = None,
        query: dict[str, str] | None = None,
        page_name: str = "",
    ) -> None:
        self._click = click
        await self._send(click.fragment, click.page, trigger, query, page_name)
        try:
            await asyncio.wait_for(click.done, self.patience)
        except TimeoutError:
            raise TabError(f"no answer within {self.patience:.0f} s") from None
        finally:
            self._click = None

    async def _send(
        self,
        fragment: str = "",
        page: str = "",
        trigger: WidgetState | None = None,
        query: dict[str, str] | None = None,
        page_name: str = "",
        polled: bool = False,
    ) -> None:
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string = urlencode(self.query if query is None else query)
        held = (w.state for w in self.widgets.values() if w.kind != "button")
        asked.widget_states.widgets.extend(held)
        if trigger is not None:
            asked.widget_states.widgets.append(trigger)
        asked.page_script_hash = page or self.page
        asked.page_name, asked.fragment_id, asked.is_auto_rerun = page_name, fragment, polled
        asked.cached_message_hashes.extend(self._cache)
        asked.context_info.timezone, asked.context_info.locale = "Europe/Berlin", "en-GB"
        asked.context_info.url, asked.context_info.color_scheme = f"{self.url}/", "light"
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())

    # What comes in

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for data in socket:
                self.n_bytes += len(data)
                self._take(ForwardMsg.FromString(data))  # type: ignore[arg-type]
        except ConnectionClosed as cut:
            raise TabError(f"the connection was closed: {cut}") from None
        raise TabError("the server closed the connection")

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            kept, fragment, _ = self._cache[message.ref_hash]
            self._cache[message.ref_hash] = (kept, fragment, self._n_runs)
            whole = ForwardMsg()
            whole.CopyFrom(kept)
            whole.metadata.CopyFrom(message.metadata)
            message, kind = whole, kept.WhichOneof("type")
        elif message.metadata.cacheable:
            self._cache[message.hash] = (message, message.delta.fragment_id, self._n_runs)
        take: Callable[[ForwardMsg], None] | None = getattr(self, f"_take_{kind}", None)
        if take is not None:
            take(message)

    def _take_new_session(self, message: ForwardMsg) -> None:
        run, new = message.metadata.run, message.new_session
        self._run = run.script_run_id
        if not run.fragment_ids:
            self._stop_polls()
        self.page, self.main = new.page_script_hash, new.main_script_hash
        self._max_age = new.config.max_cached_message_age
        if self._click is not None and self._click.is_begun_by(list(run.fragment_ids), self.page):
            self._click.run = run.script_run_id

    def _take_navigation(self, message: ForwardMsg) -> None:
        self.pages = {p.url_pathname: p.page_script_hash for p in message.navigation.app_pages}
        self.page = message.navigation.page_script_hash

    def _take_delta(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.n_exceptions += 1
        elif kind in STATES or kind == "button":
            own = getattr(element, kind)
            before = self.widgets.get(own.id)
            if kind == "button":  # its state is sent only when it is pressed
                state = WidgetState(id=own.id)
            else:
                state = STATES[kind](own) if before is None or own.set_value else before.state
            if kind == "text_input" and own.query_param_key and (before is None or own.set_value):
                self._write_address(own.query_param_key, state.string_value)
            script, fragment = message.metadata.active_script_hash, message.delta.fragment_id
            self.widgets[own.id] = Widget(kind, own, state, fragment, script, self._run)

    def _write_address(self, name: str, value: str) -> None:
        if value:
            self.query[name] = value
        else:
            self.query.pop(name, None)

    def _take_auto_rerun(self, message: ForwardMsg) -> None:
        fragment, interval = message.auto_rerun.fragment_id, message.auto_rerun.interval
        if fragment in self._timers:
            if self._timers[fragment][0] == interval:
                return
            self._timers[fragment][1].cancel()
        self._set_timer(fragment, interval, asyncio.get_running_loop().time() + interval)

    def _set_timer(self, fragment: str, interval: float, at: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[fragment] = (interval, loop.call_at(at, self._poll, fragment, interval, at))

    def _poll(self, fragment: str, interval: float, at: float) -> None:
        self.n_polls += 1
        self._spawn(self._send(fragment, polled=True))
        self._set_timer(fragment, interval, max(at + interval, asyncio.get_running_loop().time()))

    def _take_stop_auto_rerun(self, message: ForwardMsg) -> None:
        for fragment in message.stop_auto_rerun.fragment_ids:
            if fragment in self._timers:
                self._timers.pop(fragment)[1].cancel()

    def _stop_polls(self) -> None:
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _take_script_finished(self, message: ForwardMsg) -> None:
        run, status = message.metadata.run, message.script_finished
        fragments = set(run.fragment_ids)
        if status in _SUCCESS:
            self.widgets = {
                key: w
                for key, w in self.widgets.items()
                if w.run == run.script_run_id or (fragments and w.fragment not in fragments)
            }
        if status != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._n_runs += 1
            self._cache = {
                key: kept
                for key, kept in self._cache.items()
                if (fragments and kept[1] not in fragments) or self._n_runs - kept[2] <= self._max_age
            }
        if self._click is None or self._click.done.done() or self._click.run != run.script_run_id:
            return
        if status in _SUCCESS:
            self._click.done.set_result(None)
        elif status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self._fail("the page does not compile")
