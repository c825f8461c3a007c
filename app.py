"""Rankscope, a comparison dashboard for learning to rank: ``streamlit run app.py``."""

from pages.ui.app import site

page = site.open_site()
site.draw_frame()
site.run(page)
