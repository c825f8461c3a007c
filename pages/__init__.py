"""The pages of the dashboard. `app.py` names them in order."""
