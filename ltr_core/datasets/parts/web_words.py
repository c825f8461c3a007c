"""The vocabulary of the tiny web: for each topic nouns, verbs and adjectives; and what all pages share.

Some nouns belong to two topics (mercury, crane, pitch, scale, bridge, …): pages that use a query's words and
mean something else are what makes text scores err.
"""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """A topic and its words."""

    name: str
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]


# A topic is four lines: its name, nouns, verbs, adjectives. The last one is what all pages share.
_WORDS = """\
astronomy
comet telescope eclipse planet mercury orbit galaxy lens crater dust shadow star observatory meteor
orbits shines crosses reflects fades
distant bright faint celestial

baking
sourdough oven flour crust yeast loaf dough butter roll starter scale sugar rye kitchen
rises ferments browns cools softens
crisp fresh sour golden

birds
crane heron nest feather migration falcon owl wetland song beak flight egg swallow reed
migrates nests sings dives circles
nocturnal rare slender grey

chess
opening endgame knight bishop pawn castle clock board tournament check move queen study draw
attacks defends captures exchanges promotes
sharp positional drawn classical

coins
mint silver penny mercury hoard stamp copper collector edge relief portrait metal date bank
circulates weighs shows commemorates tarnishes
antique worn minted scarce

football
goal pitch keeper pass league header corner referee coach season bank transfer bench draw
scores defends tackles dribbles equalises
late offside away decisive

glaciers
ice moraine crevasse meltwater valley snow crater ridge core edge climate avalanche bed fjord
melts retreats flows calves advances
frozen slow blue thin

jazz
piano trumpet improvisation bass solo chord scale pitch swing bridge drummer record club standard
improvises swings modulates accompanies syncopates
cool modal live melodic

printing
press letter type ink paper plate typeface edition roll relief page margin proof binder
prints sets inks binds folds
embossed glossy bold legible

railways
locomotive track signal station bridge tunnel timetable carriage platform engine rail plate bed
departs shunts connects delays hauls
narrow express electric rural

sailing
harbour mast keel knot lighthouse crane anchor tide sail compass current bow crew swallow
tacks drifts anchors heels reaches
windward coastal steady salty

tea
leaf infusion kettle ceremony harvest plantation steam cup blend oolong garden shadow caddy bowl
infuses steeps oxidises warms soothes
fragrant green bitter delicate

common
visitor photograph story season morning question friend winter guide book town view past name year
changes waits appears remains helps
small old new quiet long
"""


def _read(block: str) -> Topic:
    name, nouns, verbs, adjectives = block.splitlines()
    return Topic(name, tuple(nouns.split()), tuple(verbs.split()), tuple(adjectives.split()))


*_OWN, COMMON = (_read(block) for block in _WORDS.split("\n\n"))
TOPICS = tuple(_OWN)

SENTENCES = (
    "The {adjective} {noun} {verb} beside the {noun2}.",
    "Every {noun} {verb} when the {noun2} is {adjective}.",
    "Few notice how a {adjective} {noun} {verb}.",
    "A {noun} without a {noun2} is rarely {adjective}.",
    "Ask anyone about the {noun}: the {noun2} {verb} first.",
    "By evening the {noun} {verb} and the {noun2} looks {adjective}.",
    "We compared the {noun} with a {adjective} {noun2}.",
    "Once the {noun} {verb}, the {noun2} follows.",
    "There is a {adjective} {noun} behind this {noun2}.",
    "What the {noun} hides, the {adjective} {noun2} {verb}.",
)

TITLES = (
    "The {adjective} {noun}",
    "{noun} and {noun2}: an introduction",
    "How the {noun} {verb}",
    "Notes on the {noun}",
    "{noun}, {noun2} and what {verb}",
    "Why a {noun} {verb}",
    "The {noun} and the {noun2}",
    "A {adjective} {noun} explained",
)

HOST_KINDS = ("society", "journal", "museum", "notebook", "club", "archive", "school", "daily")
