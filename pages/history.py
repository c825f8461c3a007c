"""History: what was trained on this machine, yesterday's too, and workspaces under a name."""

from pages.ui.app import frame
from pages.ui.history import past

screen = frame.current()
past.workspaces()
runs = past.found(screen)
past.open_picked(screen, past.table(screen, runs))
