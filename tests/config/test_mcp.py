"""Agents speak the Model Context Protocol with the official client: over HTTP, and over standard input and output."""

import asyncio
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from config.mcp.tools import TOOLS, input_schema
from tests.whole import ROOT, Instance, environment

Steps = Callable[[ClientSession], Awaitable[Any]]


def in_a_thread(steps: Coroutine[Any, Any, Any]) -> Any:
    """A browser's tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, steps).result()


def over_http(instance: Instance, token: str, steps: Steps) -> Any:
    async def run() -> Any:
        client = create_mcp_http_client(headers={"Authorization": f"Bearer {token}"})
        opened = streamable_http_client(f"{instance.url}/mcp", http_client=client)
        async with client, opened as streams, ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            return await steps(session)

    return in_a_thread(run())


def over_stdio(instance: Instance, token: str, steps: Steps) -> Any:
    async def run() -> Any:
        env = {**environment(instance.data_dir), "COUNTERSIGN_TOKEN": token}
        command = StdioServerParameters(command=sys.executable, args=["manage.py", "mcp"], env=env, cwd=ROOT)
        async with stdio_client(command) as streams, ClientSession(*streams) as session:
            await session.initialize()
            return await steps(session)

    return in_a_thread(run())


def told(result: Any) -> Any:
    return json.loads(result.content[0].text)


async def read_and_begin(session: ClientSession, scope: str) -> None:
    """Resources are what the token may see, and prompts need no tool."""
    templates = (await session.list_resource_templates()).resource_templates
    assert [one.uri_template for one in templates] == ["countersign://state/{+scope}", "countersign://mirror/{+scope}"]
    assert f"countersign://mirror/{scope}" in [one.uri for one in (await session.list_resources()).resources]
    state = (await session.read_resource(f"countersign://state/{scope}")).contents[0]
    assert state.mime_type == "application/json" and json.loads(state.text)["items"] == []
    assert (await session.read_resource(f"countersign://mirror/{scope}")).contents[0].text.startswith("# ")
    with pytest.raises(MCPError, match="no scope"):
        await session.read_resource("countersign://state/nowhere/at/all")
    assert [one.name for one in (await session.list_prompts()).prompts] == ["load_context", "record_decision"]
    loaded = await session.get_prompt("load_context", {"scope": scope, "task": "the gate"})
    assert "Decision: the gate is painted red" in loaded.messages[0].content.text
    begun = await session.get_prompt("record_decision", {"scope": scope, "decision": "the gate stays red"})
    assert "the gate stays red" in begun.messages[0].content.text and "add_source" in begun.messages[0].content.text
    with pytest.raises(MCPError, match="each with a scope"):
        await session.get_prompt("load_context", {})


@pytest.mark.parametrize("door", [over_http, over_stdio])
def test_an_agent_sends_asks_and_checks_and_decides_nothing(
    up_instance: Instance, door: Callable[[Instance, str, Steps], Any]
) -> None:
    scope = f"mcp-{door.__name__.replace('_', '-')}"

    async def steps(session: ClientSession) -> None:
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert tools == TOOLS.keys() and not [name for name in tools if "promote" in name or "decide" in name]
        said = {"scope": scope, "kind": "message", "text": "Decision: the gate is painted red\n", "sender_kind": "user"}
        source = told(await session.call_tool("add_source", {**said, "wait": 30}))
        assert source["source"]["sender_kind"] == "user"
        (waiting,) = told(await session.call_tool("list_pending", {"scope": scope}))["items"]
        assert told(await session.call_tool("get", {"id": waiting["ref"]}))["evidence"][0]["brought_by"] == "agent"
        verdict = told(await session.call_tool("check", {"scope": scope, "text": "I will paint the shed green."}))
        assert verdict["verdict"] == "unknown"
        assert told(await session.call_tool("build_context", {"scope": scope, "query": "gate"}))["scope"] == scope
        refused = await session.call_tool("check", {"scope": scope, "text": 7})
        assert refused.is_error and told(refused)["status"] == 422
        assert (await session.call_tool("promote", {"id": waiting["ref"]})).is_error
        await read_and_begin(session, scope)

    token = up_instance.said["reviewer_token"]
    make_scope(up_instance, token, scope)
    door(up_instance, up_instance.said["agent_token"], steps)


def make_scope(instance: Instance, token: str, scope: str) -> None:
    request = urllib.request.Request(
        f"{instance.url}/api/v1/scopes",
        data=json.dumps({"scope": scope, "tier": "project"}).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=60).close()


@pytest.mark.parametrize("token", ["", "cs_unknown"])
def test_nobody_without_a_token_gets_in(up_instance: Instance, token: str) -> None:
    request = urllib.request.Request(f"{up_instance.url}/mcp", data=b"{}", headers={"Authorization": f"Bearer {token}"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    assert refused.value.code == 401


def test_a_tool_takes_what_its_operation_takes() -> None:
    schema = input_schema("check")
    assert schema["properties"].keys() == {"scope", "text", "conversation"} and set(schema["required"]) == {
        "scope",
        "text",
    }
    assert "components" not in json.dumps(input_schema("add_source"))
