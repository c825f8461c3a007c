"""The room of the page Step through."""
