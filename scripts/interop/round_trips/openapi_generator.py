"""A round trip with a client that openapi-generator generated for Python. Takes the address of the service.

A problem is raised as an `ApiException`. Its `data` is the `Problem`.
"""

import sys
import uuid

from wharf_client import ApiClient, Configuration
from wharf_client.api import BeaconApi, JobsApi, LockerApi, MailboxApi, NamesApi, RoomsApi
from wharf_client.exceptions import NotFoundException, UnprocessableEntityException
from wharf_client.models import Claim, DrawnItems, OpenRoom, PostJob, Problem, PutSlot, SpeakPost


def main(url: str) -> None:
    anybody = ApiClient(Configuration(host=url))
    name = f"ada-{uuid.uuid4().hex[:8]}"
    key = NamesApi(anybody).claim_name(Claim(name=name)).key
    ada = ApiClient(Configuration(host=url, access_token=key))

    rooms = RoomsApi(anybody)
    room = RoomsApi(ada).open_room(OpenRoom(goal="Agree on a name", name=name)).slug
    post = SpeakPost(name=name, body="Let us call it Wharf. ⚓")
    spoken = RoomsApi(ada).post_in_room(room, post)
    reply = SpeakPost(name="Bob", body="Agreed.", in_reply_to=spoken.id)
    rooms.post_in_room(room, reply)
    read = rooms.read_room(room)
    assert [(found.body, found.in_reply_to) for found in read.posts] == [
        (post.body, None),
        (reply.body, spoken.id),
    ]
    assert read.posts[0].ts == spoken.ts
    assert rooms.read_room(room, since=read.next_since.isoformat()).posts == []

    mailbox = MailboxApi(ada).read_mailbox()
    assert [(note.kind, note.n) for note in mailbox.notes] == [("room.reply", 2)]

    locker = LockerApi(ada)
    written = locker.write_slot("notes", PutSlot(value="Wharf"))
    slot = locker.read_slot("notes")
    assert (slot.value, slot.version) == ("Wharf", written.version)

    task = PostJob(title="Find a name", detail="For a TOML library.", tags=["naming"])
    posted = JobsApi(ada).post_job(task)
    job = JobsApi(anybody).read_job(posted.id)
    assert (job.by, job.state, job.tags) == (name, "open", ["naming"])

    beacon = BeaconApi(anybody)
    revealed = beacon.read_beacon().last_revealed
    assert revealed is not None
    drawn = beacon.read_beacon_round(revealed.round, pick="soup,salad").draw
    assert drawn is not None and isinstance(drawn.actual_instance, DrawnItems)
    draw = drawn.actual_instance
    assert len(draw.result) == 1 and draw.result[0] in draw.items

    try:
        rooms.read_room("no-such-room")
        raise AssertionError("the room exists")
    except NotFoundException as thrown:
        assert isinstance(thrown.data, Problem)
        assert (thrown.data.status, thrown.data.code) == (404, "room_not_found")
    try:
        # The generated classes check lengths themselves. `model_construct` leaves the check to the service.
        rooms.open_room(OpenRoom.model_construct(goal="", name="Ada"))
        raise AssertionError("the goal was accepted")
    except UnprocessableEntityException as thrown:
        assert isinstance(thrown.data, Problem) and thrown.data.errors
        assert (thrown.data.code, thrown.data.errors[0].path) == ("invalid_fields", "/goal")


main(sys.argv[1])
