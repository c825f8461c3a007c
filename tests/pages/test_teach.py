"""Teach: a class opens, students join and finish, board and codes are right, paper says the truth."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.ui.learn import paper
from pages.ui.learn.classroom import classes as rooms
from pages.ui.learn.classroom.classes import Classes, class_of, code_of, is_code, new_secret, numbers_of
from pages.ui.learn.course import LESSONS
from pages.ui.learn.lessons import distances, losses, ranking, stopping
from pages.ui.session import mirror
from tests.dashboard import open_app, text_of

LINK = "data.tiny..runs.none"


@pytest.fixture(autouse=True)
def nobody_here():
    rooms.classes.cache_clear()
    yield
    rooms.classes.cache_clear()


# Classes ----------------------------------------------------------------------------------------------------


def test_a_code_is_of_one_name_one_class_and_these_lessons():
    code = code_of("a", "Ann", ["1", "0"])
    assert re.fullmatch(r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}", code)
    assert code == code_of("a", " ann ", ("0", "1")) != code_of("a", "Anna", ["0", "1"])
    assert len({code, code_of("b", "Ann", ["0", "1"]), code_of("a", "Ann", ["0", "10"])}) == 3
    assert is_code(code.lower().replace("-", " "), "a", "ANN", ["0", "1"])
    assert not is_code("", "a", "Ann", ["0", "1"]) and not is_code("ÄÖ", "a", "Ann", ["0"])


def test_the_students_link_does_not_tell_the_secret():
    secret = new_secret()
    assert secret not in class_of(secret) and class_of(secret) == class_of(secret) != class_of(new_secret())
    assert len({new_secret() for _ in range(50)}) == 50


def test_neighbours_have_other_numbers_and_keep_them():
    drawn = [numbers_of("ABC", f"Student {i}") for i in range(60)]
    assert drawn == [numbers_of("ABC", f"  student  {i}") for i in range(60)]
    assert min(drawn) >= 1 and len(set(drawn)) > 35  # 0 is everybody's outside of a class
    assert drawn != [numbers_of("ABD", f"Student {i}") for i in range(60)]


def test_a_class_remembers_and_forgets(monkeypatch):
    here = Classes()
    one = here.open("secret", ["0", "3"])
    assert one.lessons == ("0", "3") and here.open("secret", ["3"]) is one and one.lessons == ("3",)
    here.open("secret", ["0", "3"])
    assert not here.join("unknown", "Ann") and not here.join(one.name, " \n")
    here.finish(one.name, "Ann", "0")
    assert one.finished("ANN ") == {"0"} and one.code("Ann") is None
    here.finish(one.name, "ann", "3")
    assert one.code("Ann") == code_of("secret", "Ann", ["0", "3"]) and len(one.students) == 1
    assert [here.join_unnamed(one.name) for _ in range(2)] == ["Student 1", "Student 2"]
    monkeypatch.setattr(rooms, "MAX_STUDENTS", 3)
    assert not here.join(one.name, "one too many") and here.join(one.name, "Ann")
    monkeypatch.setattr(rooms, "MAX_CLASSES", 2)
    here.open("b", ["0"]), here.open("c", ["0"])
    assert here.get(one.name) is None and here.get(class_of("c")) is not None


def test_the_last_vote_counts():
    here = Classes()
    name = here.open("secret", ["3"]).name
    here.vote(name, "Ann", "q", "x"), here.vote(name, "Bob", "q", "x"), here.vote(name, "ann", "q", "y")
    assert here.votes(name, "q") == {"x": 1, "y": 1} and not here.votes("unknown", "q")


# The pages --------------------------------------------------------------------------------------------------


def opened_class(lessons="0"):
    app = open_app(f"{LINK}..teach_lessons.{lessons}", page="teach")
    assert not app.exception and "Open a class" in [b.label for b in app.button]
    app.button("class-open").click().run()
    assert not app.exception
    (one,) = rooms.classes()._open.values()
    return app, one


def student_of(app):
    """A student's session, by the address on the teacher's page."""
    query = parse_qs(urlsplit(app.code[0].value).query)
    assert urlsplit(app.code[0].value).path == "/learn"
    return open_app(query["s"][0], page="learn")


def solve_first(app):
    numbers = app.session_state["learn_draw"]
    given = ranking.listed(numbers, few=True)
    for name, value in (("pairs", given.pairs()), ("wrong", given.wrong())):
        app.number_input(key=f"learn-0-{numbers}-{name}").set_value(value).run()
    order = sorted(range(len(given.y)), key=lambda i: -given.y[i])
    app.session_state[f"_learn-0-{numbers}-order"] = order
    app.run()
    assert any("Goal met" in told.value for told in app.success)


def test_a_student_joins_finishes_and_has_a_code_that_the_teacher_checks():
    app, one = opened_class()
    assert app.query_params[mirror.TEACHER] in (one.secret, [one.secret])
    assert one.secret not in app.code[0].value and one.secret not in app.session_state["_sent"]
    assert "Nobody is here yet" in text_of(app) and 'class="qr"' in text_of(app)

    student = student_of(app)
    assert f"You are in the class {one.name}" in student.text_input(key="_learn_name").label
    student.text_input(key="_learn_name").input("Ann <b>").run()
    assert student.session_state["learn_draw"] == numbers_of(one.name, "Ann <b>")
    assert "0 of 1 done" in text_of(student) and "Ann &lt;b&gt;" in text_of(student)
    solve_first(student)
    code = one.code("Ann <b>")
    student.run()
    assert code is not None and code in text_of(student)

    app.run()
    board = text_of(app)
    assert "Ann &lt;b&gt;" in board and "✓" in board
    app.text_input(key="_teach_name").input("ann <b>")
    app.text_input(key="_teach_code").input(code.lower()).run()
    assert [told.value for told in app.success] and not app.error
    app.text_input(key="_teach_name").input("Bob").run()
    assert not app.success and "not the code" in app.error[0].value


def test_each_lesson_asks_a_student_about_their_own_numbers():
    _, one = opened_class("0,1,3")
    app = open_app(f"{LINK}..learn.0..learn_class.{one.name}..learn_as.Ann", page="learn")
    own = numbers_of(one.name, "Ann")
    assert app.session_state["learn_draw"] == own  # a link without numbers
    (pills,) = [group for group in app.get("button_group") if group.key == "learn"]
    pills.set_value("1").run()
    assert app.session_state["learn"] == "1" and app.session_state["learn_draw"] == own
    assert ranking.listed(own).query in text_of(app)


def test_who_gives_no_name_has_a_number_and_a_reload_keeps_it():
    app, one = opened_class("0,1")
    student = student_of(app)
    student.button("class-unnamed").click().run()
    assert student.session_state["learn_as"] == "Student 1" and len(one.students) == 1
    again = open_app(student.session_state["_sent"] or student.query_params["s"][0], page="learn")
    assert "as <b>Student 1</b>" in text_of(again) and len(one.students) == 1
    again.button("class-leave").click().run()
    assert again.text_input(key="_learn_name")


def test_the_address_opens_the_class_again_and_without_it_nobody_sees_the_board():
    app, one = opened_class("0,6")
    secret, link = one.secret, app.session_state["_sent"]
    rooms.classes.cache_clear()  # the server is started anew
    gone = student_of(app)
    assert f"class {one.name} is not open" in text_of(gone) and not gone.exception
    again = open_app(link, page="teach", teacher=secret)
    (same,) = rooms.classes()._open.values()
    assert same.secret == secret and same.lessons == ("0", "6") and same.name in text_of(again)
    stranger = open_app(link, page="teach")
    assert same.name not in text_of(stranger) and not stranger.code
    assert "Part of this link" not in text_of(again)


def test_no_lesson_no_class():
    app = open_app(f"{LINK}..teach_lessons.", page="teach")
    assert app.button("class-open").disabled and "Pick at least one lesson" in text_of(app)


def test_before_a_class_the_prediction_is_the_classs():
    _, one = opened_class("3")
    for name, vote in (("Ann", "LDD"), ("Bob", "LDD"), ("Cy", "BINARY")):
        rooms.classes().vote(one.name, name, "3-which", vote)
    app = open_app(f"{LINK}..learn.3..learn_class.{one.name}..present.1", page="learn")
    assert "3 of 3 have predicted" in text_of(app) and 'class="votes"' not in text_of(app)
    app.button("learn-3-0-which-go").click().run()
    assert not app.exception and 'class="votes"' in text_of(app)
    assert re.search(r"LDD</span>.*?<b>2</b>", text_of(app)) and "The prediction was LDD" in text_of(app)


# Paper ------------------------------------------------------------------------------------------------------


def on_paper(number, kind, draw=0):
    app = open_app(f"{LINK}..learn.{number}..learn_draw.{draw}..learn_paper.{kind}", page="learn")
    assert not app.exception and not app.error
    return app


@pytest.mark.parametrize("number", LESSONS)
def test_a_task_on_paper_keeps_the_answers_and_the_solutions_give_them(number):
    task, solved = on_paper(number, paper.TASK), on_paper(number, paper.SOLUTIONS)
    keep = LESSONS[number].keep
    assert keep not in text_of(task) and keep in text_of(solved)
    assert "☑" not in text_of(task) and ("☐" in text_of(task) or "____" in text_of(task))
    assert "Goal:" not in text_of(task) + text_of(solved)
    assert not task.radio and not solved.radio and not task.success


@pytest.mark.slow
def test_the_numbers_on_paper_are_the_lessons():
    for draw in (0, 7):
        given = ranking.listed(draw)
        assert f"<b>{given.ndcg():.2f}</b>" in text_of(on_paper("1", paper.SOLUTIONS, draw))
        assert f"<b>{given.ndcg():.2f}</b>" not in text_of(on_paper("1", paper.TASK, draw))
    best = stopping.best_rounds(stopping.stage(7))[0]
    assert f"I would stop at round: <b>{best}</b>" in text_of(on_paper("6", paper.SOLUTIONS, 7))
    rows = losses.shares(losses.hopeless(7)).set_index("name")
    assert f"<b>{rows.loc['exponential', 'bad']:.2f}</b>" in text_of(on_paper("8", paper.SOLUTIONS, 7))
    values = {d: distances.stage(d, 7).value(distances.LEARNT, distances.ROUNDS) for d in distances.FORMULAS}
    assert f"{max(values.values()):.3f}" in text_of(on_paper("3", paper.SOLUTIONS, 7))


def test_all_formulas_stand_on_one_page():
    text = text_of(on_paper("0", paper.FORMULAS))
    for word in ("NDCG@k", "Theorem 1", "Condition (9)", "Holm"):
        assert word in text
