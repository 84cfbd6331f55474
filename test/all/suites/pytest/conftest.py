"""Loads the fixtures of testing/pytest_wharf.py, which the test copies into this folder's place."""

pytest_plugins = ["pytest_wharf"]
