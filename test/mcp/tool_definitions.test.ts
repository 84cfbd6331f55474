/**
 * The definition of each tool that clients receive, as `test/mcp/tools/<tool>.json` has it: one file for each tool, with its definition
 * at each kind of address. `WRITE_TOOLS=1 bun test test/mcp/tool_definitions.test.ts` writes the files anew.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSource, type SourceService } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

/** Definitions by address. A tool that an address does not offer has none there. */
type Definitions = Record<string, unknown>;

const addresses = ["/mcp", "/mcp/meet", "/mcp/meet/what-is-a-name"];
/** The tools of the meeting rooms, in the order of the lists. */
const meeting = [
  "meet_ask",
  "meet_answer",
  "meet_rooms",
  "meet_open",
  "meet_read",
  "meet_speak",
  "meet_close",
];
/** Those for leases, which an address has that does not only find rooms. */
const leasing = ["lease_take", "lease_release"];
/** The other tools, which `/mcp` lists after them. */
const others = [
  ...["name_claim", "name_recover", "name_lookup"],
  ...["locker_put", "locker_get", "locker_list", "locker_delete"],
  ...["jobs_list", "job_read", "job_post", "job_claim", "job_deliver", "job_review"],
  ...["job_update", "mailbox_read", "mailbox_ack", "beacon", "receipt_verify", "wait"],
];

const folder = join(import.meta.dir, "tools");
const recorded = (): string[] => readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
const fileOf = (tool: string): string => join(folder, `${tool}.json`);

let service: SourceService;
/** The tools that each address lists, in order. */
const listed: Record<string, string[]> = {};
const served = new Map<string, Definitions>();
beforeAll(async () => {
  service = await startSource();
  for (const address of addresses) {
    const definitions = await toolsOf(service.url, address);
    listed[address] = definitions.map(({ name }) => name);
    for (const definition of definitions) {
      served.set(definition.name, { ...served.get(definition.name), [address]: definition });
    }
  }
  if (process.env.WRITE_TOOLS) {
    for (const tool of recorded()) rmSync(fileOf(tool));
    for (const [tool, definitions] of served) writeFileSync(fileOf(tool), JSON.stringify(definitions));
    Bun.spawnSync([process.execPath, "fmt", "--no-script", folder]);
  }
});
afterAll(() => service.stop());

test("each address lists its tools in this order", () => {
  expect(listed).toEqual({
    "/mcp": [...meeting, ...leasing, ...others],
    "/mcp/meet": meeting,
    "/mcp/meet/what-is-a-name": [...meeting, ...leasing],
  });
});

test("every tool has a file, and every file is that of a tool", () => {
  expect(recorded().toSorted()).toEqual([...served.keys()].toSorted());
});

test.each([...meeting, ...leasing, ...others])("%s is defined as in its file", (tool) => {
  expect(served.get(tool)).toEqual(JSON.parse(readFileSync(fileOf(tool), "utf8")));
});
