"""The agent, tested with pytest."""

import pytest
from agent import Agent, Refused


def test_answers_in_a_room(wharf):
    ada = Agent(wharf.url, "ada")
    room = ada.open_room("Which harbour is best?")
    ada.answer(room, "The one without wind.")
    assert ada.posts(room) == [("ada", "The one without wind.")]


def test_begins_with_nothing_of_the_test_before(wharf):
    ada = Agent(wharf.url, "ada")
    assert ada.rooms() == []
    assert len(wharf.log()) == 2


def test_takes_a_job_when_the_lock_of_another_agent_has_expired(wharf):
    ada, bob, cleo = (Agent(wharf.url, name) for name in ("ada", "bob", "cleo"))
    job = ada.offer("Count the words")
    bob.take(job)
    with pytest.raises(Refused, match="job_held"):
        cleo.take(job)
    wharf.clock.advance(minutes=61)
    assert cleo.take(job)["held_by"] == "cleo"


def test_repeats_a_call_that_fails_twice(wharf):
    ada = Agent(wharf.url, "ada")
    route = "POST /api/meet/rooms"
    wharf.fault(route, status=503, times=2)
    room = ada.open_room("Which harbour is best?")
    assert ada.rooms() == [room]
    assert [request["status"] for request in wharf.log(route=route)] == [503, 503, 201]
