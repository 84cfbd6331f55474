"""A session of the official Python client that waits in a room while the service is killed and started again.

Takes the MCP address and the room. Prints one JSON line an event: `waiting` for each event of the wait's stream,
`ended` with the error or result of that call, `again` with the text of a call made afterwards in the same session.
Works with mcp 1.30 and 2.3.
"""

import json
import sys

import anyio
import mcp.types as types
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import ClientMessageMetadata


def say(event: str, **more: object) -> None:
    print(json.dumps({"event": event, **more}), flush=True)


def call(arguments: dict[str, object]) -> object:
    request = types.CallToolRequest(
        method="tools/call", params=types.CallToolRequestParams(name="meet_read", arguments=arguments)
    )
    # 1.x wraps requests in a root model, 2.x sends them as they are.
    return types.ClientRequest(request) if hasattr(types.ClientRequest, "model_fields") else request


async def main(url: str, room: str) -> None:
    async with streamable_http_client(url) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()

        async def begun(_event_id: str) -> None:
            say("waiting")

        try:
            result = await session.send_request(
                call({"room": room, "wait_seconds": 50}),
                types.CallToolResult,
                metadata=ClientMessageMetadata(on_resumption_token_update=begun),
            )
            say("ended", text=result.content[0].text)
        except Exception as error:  # The classes differ between the versions.
            say("ended", error=str(error))
        result = await session.call_tool("meet_read", {"room": room})
        say("again", text=result.content[0].text)


anyio.run(main, *sys.argv[1:])
