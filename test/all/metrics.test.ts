/** Metrics of the real program, read by parsers of Prometheus; and the alerts of docs/operating.md, checked by its tool. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { get, post } from "../support/http.ts";
import { install_timeout_ms, lacks_python, pythonWith } from "../support/python.ts";
import { testOfSqlite } from "../support/postgres.ts";
import { lacks } from "../support/programs.ts";
import { open } from "../support/rooms.ts";
import { startBinary, type TestService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

const client_version = "0.26.0";
const lacks_promtool = lacks("the check of metrics and alerts by Prometheus", "promtool");

let service: TestService;
let text = "";
beforeAll(async () => {
  binary();
  service = await startBinary({ metrics_listen: "127.0.0.1:0" });
  const room = await open(service.url, "Metrics");
  await post(`${room.api}/posts`, { name: "ada", body: "one" });
  await get(`${service.url}/nowhere`);
  await callTool(service.url, "meet_rooms", {});
  const [, url] = /metrics at (\S+)/.exec(service.output())!;
  text = await (await fetch(url!)).text();
});
afterAll(() => service.stop());

test.skipIf(lacks_python)(
  "the parser of the Prometheus client for Python reads every metric with its type",
  async () => {
    const program = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
families = [(f.name, f.type, len(f.samples)) for f in text_string_to_metric_families(sys.stdin.read())]
print(json.dumps(families))`;
    const python = Bun.spawn([pythonWith(client_version, "prometheus_client"), "-c", program], {
      stdin: new Blob([text]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, errors] = await Promise.all([
      new Response(python.stdout).text(),
      new Response(python.stderr).text(),
    ]);
    expect(errors).toBe("");
    const families = JSON.parse(out) as [name: string, type: string, samples: number][];
    // The parser drops the ending of counters.
    const written = Array.from(
      text.matchAll(/^# TYPE (\S+) (\S+)$/gm),
      ([, name = "", type = ""]): [string, string] => [
        type === "counter" ? name.replace(/_total$/, "") : name,
        type,
      ],
    );
    expect(families.map(([name, type]): [string, string] => [name, type])).toEqual(written);
    expect(written.length).toBeGreaterThan(25);
    expect(families.reduce((sum, [, , samples]) => sum + samples, 0)).toBe(text.match(/^[^#\n]/gm)!.length);
  },
  install_timeout_ms,
);

/** Runs promtool with `input`. Returns its output. */
async function promtool(args: string[], input: string): Promise<{ status: number; output: string }> {
  const tool = Bun.spawn(["promtool", ...args], { stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  const [out, errors] = await Promise.all([
    new Response(tool.stdout).text(),
    new Response(tool.stderr).text(),
  ]);
  return { status: await tool.exited, output: out + errors };
}

test.skipIf(lacks_promtool)("promtool finds no fault in names, help, types and units", async () => {
  expect(await promtool(["check", "metrics"], text)).toEqual({ status: 0, output: "" });
});

async function expectAlertsAccepted(): Promise<void> {
  const document = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");
  const [, rules] = /```yaml\n(groups:\n[^`]*)```/.exec(document)!;
  const { status, output } = await promtool(["check", "rules", "/dev/stdin"], rules!);
  expect([status, output]).toEqual([0, expect.stringContaining("10 rules found")]);
  const names = new Set(rules!.match(/\bwharf_\w+/g)!.map((name) => name.replace(/_bucket$/, "")));
  for (const name of names) expect(text).toContain(`# TYPE ${name} `);
}
testOfSqlite(
  "promtool accepts the alerts, and each uses metrics that exist",
  "some are about the files of SQLite, for which Postgres has metrics of its own",
  expectAlertsAccepted,
  lacks_promtool,
);
