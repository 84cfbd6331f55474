"""A session of the official Python client over `wharf mcp`, in the middle of which the service is killed and started again.

Takes a room to wait in, another one, and the command line of the bridge. Prints one JSON line an event: `tools` with their number, `sent` when a call was
made while the service was away (which a line on standard input says), `waited` with the answer to the call that waited through
the restart, `spoken` with whether the other one failed, `updated` with the URI of a notification.
Works with mcp 1.30 and 2.3.
"""

import json
import sys

import anyio
import mcp.types as types
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client


def say(**event: object) -> None:
    print(json.dumps(event), flush=True)


async def main(room: str, beside: str, program: str, *arguments: str) -> None:
    updates, notified = anyio.create_memory_object_stream[str](100)

    async def receive(message: object) -> None:
        message = getattr(message, "root", message)
        if isinstance(message, types.ResourceUpdatedNotification):
            await updates.send(str(message.params.uri))

    server = StdioServerParameters(command=program, args=list(arguments), env=get_default_environment())
    async with stdio_client(server) as streams, ClientSession(*streams, message_handler=receive) as session:
        await session.initialize()
        say(tools=len((await session.list_tools()).tools))
        await session.subscribe_resource(f"meet://room/{room}")
        said: dict[str, object] = {}

        async def speak(where: str, body: str, **more: object) -> None:
            arguments = {"room": where, "name": "Ada", "body": body, **more}
            said[body] = await session.call_tool("meet_speak", arguments)

        async with anyio.create_task_group() as calls:
            calls.start_soon(lambda: speak(room, "Who is there?", wait_seconds=50))
            await anyio.to_thread.run_sync(sys.stdin.readline)
            calls.start_soon(speak, beside, "While it is away.")
            # One more turn of the event loop: the call is on its way.
            await anyio.sleep(0)
            say(sent="While it is away.")
        waited, spoken = said["Who is there?"], said["While it is away."]
        say(waited=waited.content[0].text)
        # 2.x spells it in snake case.
        say(spoken=spoken.is_error if hasattr(spoken, "is_error") else spoken.isError)
        say(updated=await notified.receive())


anyio.run(main, *sys.argv[1:])
