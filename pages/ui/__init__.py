"""What the pages stand on: state, link, jobs, store, forms, charts, theme. Knows `ltr_core`, and no page."""
