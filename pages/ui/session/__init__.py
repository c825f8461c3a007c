"""The session: its keys, its controls, its link."""
