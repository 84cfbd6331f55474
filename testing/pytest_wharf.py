"""Wharf for pytest: fixtures that start `wharf dev` and reset it before each test. See README.md.

Needs Python 3.9 and its standard library. The package wharf-agents-testing has this file as a plugin. Without the package, put it
beside conftest.py, with a line in conftest.py: `pytest_plugins = ["pytest_wharf"]`.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime
from importlib.metadata import PackageNotFoundError, files
from typing import Any, Iterator

import pytest

# Without the proxy of the machine.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Clock:
    """The clock of the service. Each call returns `{"now", "frozen"}`."""

    def __init__(self, wharf: Wharf) -> None:
        self._wharf = wharf

    def advance(self, seconds: float = 0, *, minutes: float = 0, hours: float = 0, days: float = 0) -> dict[str, Any]:
        """Lets time pass at once. Returns when everything that fell due has run."""
        seconds += 60 * (minutes + 60 * (hours + 24 * days))
        return self._wharf.call("POST", "/clock", {"advance_seconds": seconds})

    def set(self, now: str | datetime) -> dict[str, Any]:
        """Lets time pass until `now` (ISO 8601, or a datetime with a time zone). Raises if that has passed."""
        return self._wharf.call("POST", "/clock", {"now": now.isoformat() if isinstance(now, datetime) else now})

    def freeze(self, frozen: bool = True) -> dict[str, Any]:
        """Stops the clock, or with False lets it run."""
        return self._wharf.call("POST", "/clock", {"frozen": frozen})


class Wharf:
    """A running `wharf dev`."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.clock = Clock(self)

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Makes a call below /_dev. Raises RuntimeError with the problem if it is refused."""
        request = urllib.request.Request(f"{self.url}/_dev{path}", method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        try:
            with _opener.open(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} /_dev{path}: status {error.code}: {error.read().decode()}") from None

    def state(self) -> dict[str, Any]:
        return self.call("GET", "")

    def reset(self) -> dict[str, Any]:
        """Puts everything back to the start: data, seed, clock, faults and log. Snapshots stay."""
        return self.call("POST", "/reset")

    def fault(self, route: str, **fault: Any) -> dict[str, Any]:
        """Lets requests fail: `status=503`, `delay_ms=200` or `drop=True`; `times=2` requests, 0 for all (1)."""
        return self.call("POST", "/faults", {"route": route, **fault})

    def clear_faults(self) -> None:
        self.call("DELETE", "/faults")

    def log(self, **filter: Any) -> list[dict[str, Any]]:
        """The requests since the start or the reset, the oldest first. `route=` selects some."""
        return self.call("GET", f"/log?{urllib.parse.urlencode(filter)}")["requests"]

    def save(self, name: str) -> dict[str, Any]:
        """Saves a snapshot of data, clock and seed."""
        return self.call("POST", "/snapshots", {"name": name})

    def restore(self, name: str) -> dict[str, Any]:
        """Puts everything back to the snapshot."""
        return self.call("POST", f"/snapshots/{name}/restore")


def program_installed() -> str:
    """The program of the package wharf-agents if that is installed here, otherwise `wharf` on the PATH."""
    try:
        return next(str(file.locate()) for file in files("wharf-agents") or [] if file.stem == "wharf")
    except (PackageNotFoundError, StopIteration):
        return "wharf"


def start(*arguments: str) -> tuple[Wharf, subprocess.Popen[bytes]]:
    """Starts `wharf dev`. Raises RuntimeError with its output if it does not start. It ends with this process."""
    program = os.environ.get("WHARF_BIN") or program_installed()
    command = [program, "dev", "--memory", "--port", "0", "--seed", "1", "--json", "--until-stdin-ends", *arguments]
    errors = tempfile.TemporaryFile()
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
    except OSError as error:
        raise RuntimeError(f"{error}. Set WHARF_BIN to the path of the program.") from None
    timer = threading.Timer(30, process.kill)
    timer.start()
    line = process.stdout.readline()
    timer.cancel()
    try:
        return Wharf(json.loads(line)["url"]), process
    except (ValueError, KeyError):
        process.kill()
        process.wait()
        errors.seek(0)
        output = (line + errors.read()).decode(errors="replace")
        raise RuntimeError(f"{' '.join(command)} did not start:\n{output}") from None


@pytest.fixture(scope="session")
def wharf_arguments() -> list[str]:
    """More arguments for `wharf dev`, such as `["--seed", "2"]`: define a fixture with this name to set them."""
    return []


@pytest.fixture(scope="session")
def wharf_process(wharf_arguments: list[str]) -> Iterator[Wharf]:
    """The service, started once. With WHARF_URL: one that runs already."""
    if url := os.environ.get("WHARF_URL"):
        yield Wharf(url)
        return
    wharf, process = start(*wharf_arguments)
    yield wharf
    process.stdin.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


@pytest.fixture
def wharf(wharf_process: Wharf) -> Wharf:
    """The service as at its start."""
    wharf_process.reset()
    return wharf_process
