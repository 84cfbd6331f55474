"""The official Python client signs in by OAuth and calls a tool, each when a line of standard input says so (support/child.ts).

Works with mcp 1.30 and 2.3.
"""

import json
import sys
import time
from urllib.parse import parse_qs, urlparse

import anyio
import mcp.shared.auth as auth
from mcp.client.auth import OAuthClientProvider
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

now = time.time


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


async def heard() -> str:
    return (await anyio.to_thread.run_sync(sys.stdin.readline)).rstrip("\n")


class Storage:
    """Keeps the tokens and the client in memory."""

    def __init__(self, client: auth.OAuthClientInformationFull | None) -> None:
        self.client = client
        self.tokens: auth.OAuthToken | None = None

    async def get_tokens(self) -> auth.OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: auth.OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> auth.OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: auth.OAuthClientInformationFull) -> None:
        self.client = client_info


async def opened(url: str) -> None:
    say(open=url)


async def led() -> object:
    query = parse_qs(urlparse(await heard()).query)
    code, state = query["code"][0], query["state"][0]
    # 1.x takes a pair, 2.x also checks the issuer.
    if hasattr(auth, "AuthorizationCodeResult"):
        return auth.AuthorizationCodeResult(code=code, state=state, iss=query["iss"][0])
    return code, state


def provider_for(given: dict[str, str]) -> OAuthClientProvider:
    client = None
    if "client_id" in given:
        secret = given.get("client_secret")
        client = auth.OAuthClientInformationFull(
            client_id=given["client_id"],
            client_secret=secret,
            redirect_uris=[given["redirect_uri"]],
            token_endpoint_auth_method="client_secret_basic" if secret else "none",
        )
    return OAuthClientProvider(
        server_url=given["url"],
        client_metadata=auth.OAuthClientMetadata(
            client_name="A program in Python", redirect_uris=[given["redirect_uri"]]
        ),
        storage=Storage(client),
        redirect_handler=opened,
        callback_handler=led,
        client_metadata_url=given.get("document_url"),
    )


async def main() -> None:
    given = json.loads(await heard())
    first = await heard()
    async with (
        create_mcp_http_client(auth=provider_for(given)) as http,
        streamable_http_client(given["url"], http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        line = first
        while line:
            if line == "hour":
                time.time = lambda: now() + 3600
                say(passed=True)
            else:
                result = await session.call_tool("locker_list", {})
                content = getattr(result, "structuredContent", None) or result.structured_content
                say(name=content["name"])
            line = await heard()


anyio.run(main)
