"""An agent on the official Python client: makes the tool calls that it reads, a JSON line each.

Takes the MCP address. First prints the names of the tools. Reads `{"tool", "arguments"}` and prints the result as the
client has it, until the input ends. Works with mcp 1.30 and 2.3.
"""

import json
import sys

import anyio
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main(url: str) -> None:
    async with streamable_http_client(url) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        print(json.dumps([tool.name for tool in (await session.list_tools()).tools]), flush=True)
        async for line in anyio.wrap_file(sys.stdin):
            call = json.loads(line)
            result = await session.call_tool(call["tool"], call["arguments"])
            print(result.model_dump_json(by_alias=True, exclude_none=True), flush=True)


anyio.run(main, *sys.argv[1:])
