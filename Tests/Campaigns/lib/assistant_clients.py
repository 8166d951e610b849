"""What an assistant does, by the clients `mcp` and `fastmcp`: looks, tries, edits three rows, and takes it back.

    assistant_clients.py OPENWO DATABASE

Prints a line for each broken promise, and how many conversations there were. `Tests/Campaigns/assistant` makes the environment for it.
"""

import asyncio
import os
import sys

import fastmcp
import jsonschema
import mcp
from fastmcp.client.transports import StdioTransport
from mcp.client.stdio import StdioServerParameters, stdio_client

OPENWO, DATABASE = sys.argv[1:]
EDIT = {"statements": [{"sql": "UPDATE entry SET text = text || ? WHERE id <= 3", "params": ["!"]}], "note": "a mark"}


def check(truth, what):
    if not truth:
        print(f"BROKEN {what}", flush=True)


def content(result):
    """What a tool answered, by either client."""
    for name in ("structured_content", "structuredContent"):
        if (value := getattr(result, name, None)) is not None:
            return value
    return None


def has_failed(result):
    return bool(result.is_error)


async def story(name, tools, ask):
    """One conversation; `ask` calls a tool and returns the client's result."""
    schemas = {tool.name: getattr(tool, "output_schema", None) or getattr(tool, "outputSchema", None) for tool in tools}
    hints = {tool.name: tool.annotations.model_dump(by_alias=True) for tool in tools}
    check(len(schemas) == 11, f"{name}: {len(schemas)} tools")
    check(all(schemas.values()), f"{name}: a tool without an output schema")
    for tool in schemas:
        is_writing = tool in ("edit", "undo", "restore", "merge")
        check(hints[tool]["readOnlyHint"] != is_writing and hints[tool]["destructiveHint"] == is_writing, f"{name}: the hints of {tool}")

    async def get(tool, **arguments):
        result = await ask(tool, arguments)
        check(not has_failed(result), f"{name}: {tool} failed: {result}")
        try:
            jsonschema.Draft202012Validator(schemas[tool]).validate(content(result))
        except jsonschema.ValidationError as error:
            check(False, f"{name}: the answer of {tool} is not as its schema says: {error.message}")
        return content(result) or {}

    rows = {"sql": "SELECT text FROM entry ORDER BY id"}
    before = (await get("query", **rows))["rows"]
    for tool in ("status", "schema", "history", "diff", "conflicts"):
        await get(tool)
    await get("history", table="entry", key=1)
    tried = await get("preview_edit", statements=EDIT["statements"])
    check(tried["changedRows"] == 3, f"{name}: a preview of {tried['changedRows']} rows")
    check((await get("query", **rows))["rows"] == before, f"{name}: a preview changed rows")
    edited = await get("edit", if_head=tried["head"], **EDIT)
    check(edited["changedRows"] == 3 and edited["undo"], f"{name}: an edit of {edited['changedRows']} rows")
    check((await get("query", **rows))["rows"][:3] == [[row[0] + "!"] for row in before[:3]], f"{name}: the edit is not there")
    await get("diff", **{"from": edited["head"], "to": edited["version"]})
    await get("undo", id=edited["undo"], dry_run=True)
    await get("undo", id=edited["undo"])
    check((await get("query", **rows))["rows"] == before, f"{name}: the undo did not take it back")
    await get("restore", version="@", dry_run=True)
    await get("merge", dry_run=True)
    stale = await ask("edit", {"if_head": tried["head"], **EDIT})
    check(has_failed(stale) and "nothing was changed" in stale.content[0].text, f"{name}: a stale edit: {stale}")
    refused = await ask("query", {"sql": "DELETE FROM entry"})
    check(has_failed(refused), f"{name}: a query that writes")


async def by_mcp(mode):
    told = []

    async def progress(count, total, message):
        told.append(count)

    server = StdioServerParameters(command=OPENWO, args=["mcp", DATABASE], env=dict(os.environ))
    async with mcp.Client(stdio_client(server), mode=mode) as client:
        tools = (await client.list_tools()).tools
        await story(f"mcp {mode}", tools, lambda tool, arguments: client.call_tool(tool, arguments, progress_callback=progress))
    check(told and all(count >= 1 for count in told), f"mcp {mode}: no progress")


async def by_fastmcp(mode):
    transport = StdioTransport(OPENWO, ["mcp", DATABASE], env=dict(os.environ), keep_alive=False)
    async with fastmcp.Client(transport, **({"mode": mode} if mode else {})) as client:
        tools = await client.list_tools()
        await story(f"fastmcp {mode or ''}", tools, lambda tool, arguments: client.call_tool(tool, arguments, raise_on_error=False))


async def main():
    modes = ["auto", "legacy", "2026-07-28"]
    for mode in modes:
        await asyncio.wait_for(by_mcp(mode), 60)
    for mode in modes:
        await asyncio.wait_for(by_fastmcp(mode), 60)
    print(f"{2 * len(modes)} conversations of clients")


asyncio.run(main())
