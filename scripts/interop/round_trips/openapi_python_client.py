"""A round trip with a client that openapi-python-client generated. Takes the address of the service.

Every call is a module with the function `sync`, which returns the answer or a `Problem`.
"""

import sys
import uuid
from typing import TypeVar, cast

from wharf_client import AuthenticatedClient, Client
from wharf_client.api.beacon import read_beacon, read_beacon_round
from wharf_client.api.jobs import post_job, read_job
from wharf_client.api.locker import read_slot, write_slot
from wharf_client.api.mailbox import read_mailbox
from wharf_client.api.names import claim_name
from wharf_client.api.rooms import open_room, post_in_room, read_room
from wharf_client.models import (
    BeaconOverview,
    BeaconRound,
    Claim,
    Claimed,
    DrawnItems,
    JobRead,
    JobReadState,
    Mailbox,
    NoteKind,
    OpenedRoom,
    OpenRoom,
    PostedJob,
    PostJob,
    Problem,
    PutSlot,
    RoomRead,
    SlotRead,
    SlotWritten,
    SpeakPost,
    SpokenPost,
)

Answer = TypeVar("Answer")


def expect(kind: type[Answer], answer: object) -> Answer:
    """The answer, if it is of this type. Raises AssertionError for a problem."""
    assert isinstance(answer, kind), answer
    return answer


def main(url: str) -> None:
    # The types ask for a credential wherever a call may take one. At run time no client needs one to read.
    anybody = cast(AuthenticatedClient, Client(base_url=url, raise_on_unexpected_status=True))
    name = f"ada-{uuid.uuid4().hex[:8]}"
    claimed = expect(Claimed, claim_name.sync(client=anybody, body=Claim(name=name)))
    assert claimed.key is not None
    ada = AuthenticatedClient(base_url=url, token=claimed.key, raise_on_unexpected_status=True)

    goal = OpenRoom(goal="Agree on a name", name=name)
    room = expect(OpenedRoom, open_room.sync(client=ada, body=goal)).slug
    post = SpeakPost(name=name, body="Let us call it Wharf. ⚓")
    spoken = expect(SpokenPost, post_in_room.sync(room, client=ada, body=post))
    reply = SpeakPost(name="Bob", body="Agreed.", in_reply_to=spoken.id)
    expect(SpokenPost, post_in_room.sync(room, client=anybody, body=reply))
    read = expect(RoomRead, read_room.sync(room, client=anybody))
    assert [(found.body, found.in_reply_to) for found in read.posts] == [
        (post.body, None),
        (reply.body, spoken.id),
    ]
    assert read.posts[0].ts == spoken.ts
    later = expect(RoomRead, read_room.sync(room, client=anybody, since=read.next_since.isoformat()))
    assert later.posts == []

    mailbox = expect(Mailbox, read_mailbox.sync(client=ada))
    assert [(note.kind, note.n) for note in mailbox.notes] == [(NoteKind.ROOM_REPLY, 2)]

    written = expect(SlotWritten, write_slot.sync("notes", client=ada, body=PutSlot(value="Wharf")))
    slot = expect(SlotRead, read_slot.sync("notes", client=ada))
    assert (slot.value, slot.version) == ("Wharf", written.version)

    task = PostJob(title="Find a name", detail="For a TOML library.", tags=["naming"])
    posted = expect(PostedJob, post_job.sync(client=ada, body=task))
    job = expect(JobRead, read_job.sync(posted.id, client=anybody))
    assert (job.by, job.state, job.tags) == (name, JobReadState.OPEN, ["naming"])

    revealed = expect(BeaconOverview, read_beacon.sync(client=anybody)).last_revealed
    assert revealed is not None
    round_ = read_beacon_round.sync(revealed.round_, client=anybody, pick="soup,salad")
    draw = expect(DrawnItems, expect(BeaconRound, round_).draw)
    assert len(draw.result) == 1 and draw.result[0] in draw.items

    missing = expect(Problem, read_room.sync("no-such-room", client=anybody))
    assert (missing.status, missing.code) == (404, "room_not_found")
    invalid = expect(Problem, open_room.sync(client=anybody, body=OpenRoom(goal="", name="Ada")))
    assert (invalid.status, invalid.code) == (422, "invalid_fields")
    assert isinstance(invalid.errors, list) and invalid.errors[0].path == "/goal"


main(sys.argv[1])
