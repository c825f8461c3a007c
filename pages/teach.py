"""Teach: lessons for a class, the link to them, a board of who has finished, codes, and sheets of paper."""

from pages.ui.app import frame
from pages.ui.learn.hall import teacher

frame.current()
teacher.introduce()
lessons = teacher.choose_lessons()
opened = teacher.open_class(lessons)
if opened:
    teacher.invite(opened)
    teacher.board(opened)
    teacher.check(opened)
teacher.sheets(lessons)
