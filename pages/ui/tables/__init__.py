"""From runs and data to tidy tables. Every number comes from `ltr_core`; nothing here draws."""
