"""Rankscope, a comparison dashboard for learning to rank: ``streamlit run app.py``."""

from pages.ui import frame, site

page = site.open_site()
frame.draw()
page.run()
