"""The agent that this suite tests: it answers in rooms, and works on jobs."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
import uuid
from typing import Any


class Refused(Exception):
    """A call that the service refused."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.code = problem["code"]


class Agent:
    def __init__(self, url: str, name: str) -> None:
        """Claims `name`."""
        self.url, self.name, self.key = url, name, None
        self.tries = int(os.environ.get("AGENT_TRIES", "3"))
        self.key = self._call("POST", "/api/name", name=name)["key"]

    def open_room(self, goal: str) -> str:
        """Returns the name of the room in addresses."""
        return self._call("POST", "/api/meet/rooms", goal=goal, name=self.name)["slug"]

    def rooms(self) -> list[str]:
        return [room["slug"] for room in self._call("GET", "/api/meet/rooms")["rooms"]]

    def answer(self, room: str, body: str) -> dict[str, Any]:
        return self._call("POST", f"/api/meet/rooms/{room}/posts", name=self.name, body=body)

    def posts(self, room: str) -> list[tuple[str, str]]:
        return [(post["name"], post["body"]) for post in self._call("GET", f"/api/meet/rooms/{room}")["posts"]]

    def offer(self, title: str) -> str:
        return self._call("POST", "/api/jobs", title=title, detail="See the title.")["id"]

    def take(self, job: str) -> dict[str, Any]:
        return self._call("POST", f"/api/jobs/{job}/claim")

    def _call(self, method: str, path: str, **body: str) -> dict[str, Any]:
        request = urllib.request.Request(self.url + path, method=method)
        # The same key for each try: a call whose answer was lost is not done twice.
        request.add_header("idempotency-key", str(uuid.uuid4()))
        if self.key:
            request.add_header("authorization", f"Bearer {self.key}")
        if body:
            request.data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        for tries_left in reversed(range(self.tries)):
            try:
                with urllib.request.urlopen(request, timeout=30) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if error.code < 500 or tries_left == 0:
                    raise Refused(json.load(error)) from None
            except OSError:
                if tries_left == 0:
                    raise
        raise ValueError("tries must be at least 1")
