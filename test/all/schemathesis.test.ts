/** Schemathesis against the binary: calls made from the OpenAPI document are answered as it says, but for the exceptions here. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import type { OpenApi } from "../../src/web/openapi/document.ts";
import { asOwner } from "../support/admin.ts";
import { get } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { lacks } from "../support/programs.ts";
import { install_timeout_ms, pythonWith } from "../support/python.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../support/service.ts";

const seed = process.env.WHARF_TEST_SEED ?? "1";

/** What a finding may be about: its check, its operation, and all that the answer says (the code or the faults of the fields). */
const exceptions: { why: string; check: RegExp; operation?: RegExp; says: RegExp }[] = [
  {
    why: "501 for methods that no path takes is in the contract (section 0); Schemathesis expects 405",
    check: /^(?:not_a_server_error|unsupported_method)$/,
    says: /^501 unknown_method$/,
  },
  {
    why: "the form of a page is for browsers, and refuses other senders; the document is for clients",
    check: /^(?:allow_header_conformance|unsupported_method)$/,
    operation:
      /^GET \/(?:admin|claim|jobs|me\/locker|me\/mailbox|me\/webhook|meet|meet\/r\/\{room\}|receipt|signin)$/,
    says: /Undocumented methods advertised: POST\n|^415 unsupported_media_type$/,
  },
  {
    why: "it is the answer at the address of a redirect",
    check: /^status_code_conformance$/,
    operation: /^GET \/beacon$/,
    says: /^404 round_not_found$/,
  },
  {
    why: "Schemathesis does not expect 413 of what is too large",
    check: /^negative_data_rejection$/,
    says: /^413 body_too_large$/,
  },
  ...[
    ["a length counts white space, of which a text may not consist alone", /^must not be empty$/],
    ["generators make sets, which lose the order, of lists of unique items", /^has an item twice$/],
    ["there is no pattern for flags, whose tag characters are allowed", /^may not hold control characters,/],
    [
      "Unicode's categories and normal form are in no pattern that all validators read",
      /^may hold letters, marks, digits,/,
    ],
    [
      "it depends on what else is sent",
      /^(?:cannot come together with|says how many to pick|is required with|names nothing to wait|says all of it:|is required: what the toss is about|is for a coin:|also says what a side means)/,
    ],
    ["a search has smaller pages", /^must be a whole number from 1 to 100 in a search$/],
    [
      "only an earlier answer says it",
      /that an earlier answer gave out$|is not a cursor of this list$|^must be the position in an earlier answer/,
    ],
    [
      "it depends on earlier calls",
      /^422 idempotency_key_reused$|^412 precondition_failed$|^is beyond the latest note,/,
    ],
    [
      "the parts of a line have more rules than a pattern",
      /^must be the (?:whole line of a toss|number of a round, or next)/,
    ],
    [
      "paths have more rules than a pattern",
      /^(?:has a character that no path has|names nothing: send a path|may not have \.\. in it|has \d+ segments; at most)/,
    ],
    ["it depends on the time", /^must be in the future$|^425 not_yet$/],
    ["numbers are compared", /, the smaller first, as in 1\.\.6$/],
    ["addresses have more rules than a pattern", /^must be an IP address, or a network/],
    [
      "addresses of answers have more rules than a pattern",
      /^(?:is no address|must be https, or http on localhost|has a (?:fragment|scheme|user name)|has what no address may have)/,
    ],
  ].map(([why, says]) => ({ why: why as string, check: /^positive_data_acceptance$/, says: says as RegExp })),
];

interface Check {
  name: string;
  status: string;
  failure_info?: { failure: { operation: string; message: string } };
}
interface Interaction {
  request: { method: string; uri: string; body: { $base64: string } | null };
  response: { status_code: number; content: { $base64: string } | null } | null;
}
interface Recorder {
  checks: Record<string, Check[]>;
  interactions: Record<string, Interaction>;
}
interface Event {
  ScenarioFinished?: { recorder?: Recorder };
  NonFatalError?: object;
  FatalError?: object;
}
interface Problem {
  code?: string;
  errors?: { path: string; message: string }[];
}

let service: TestService;
let directory: string;
let document_file: string;
beforeAll(async () => {
  service = await startBinary({ webhooks: true });
  directory = newDirectory();
  document_file = join(directory, "openapi.json");
  const { body } = await get<OpenApi>(`${service.url}/openapi.json`);
  await Bun.write(document_file, JSON.stringify(withOtherForms(body)));
});
afterAll(async () => {
  await service.stop();
  removeDirectory(directory);
});

/** The document in which `x-instead` is a part of the schema of its answer, and no call waits long. */
function withOtherForms(document: OpenApi): OpenApi {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    for (const { name, schema } of operation.parameters) if (name === "wait_seconds") schema.maximum = 1;
    for (const { content = {}, "x-instead": instead } of Object.values(operation.responses)) {
      const json = content["application/json"];
      if (instead && json) json.schema = { anyOf: [json.schema, ...Object.values(instead)] };
    }
  }
  return document;
}

const textOf = (content: { $base64: string } | null | undefined): string =>
  content ? Buffer.from(content.$base64, "base64").toString() : "";

/** What an answer says of a finding: its problem, or otherwise the message of the check. */
function saidIn({ response }: Interaction, check: Check): string[] {
  const { message } = check.failure_info!.failure;
  if (check.name === "allow_header_conformance") return [message];
  const { code, errors } = problemIn(textOf(response?.content));
  if (errors) return errors.map((fault) => fault.message);
  return [code ? `${response!.status_code} ${code}` : message.replaceAll(/\s+/g, " ")];
}

function problemIn(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}

/** The findings of a run that are no exceptions. */
function findingsIn(events: Event[]): string[] {
  const findings = events.flatMap(({ ScenarioFinished, NonFatalError, FatalError }) => {
    const error = NonFatalError ?? FatalError;
    if (error) return [JSON.stringify(error)];
    const { checks = {}, interactions = {} } = ScenarioFinished?.recorder ?? {};
    return Object.entries(checks).flatMap(([id, checked]) =>
      checked.flatMap((check) => {
        if (check.status !== "failure") return [];
        const interaction = interactions[id]!;
        const { operation } = check.failure_info!.failure;
        const said = saidIn(interaction, check);
        const isExcepted = (text: string) =>
          exceptions.some(
            (one) =>
              one.check.test(check.name) && (one.operation?.test(operation) ?? true) && one.says.test(text),
          );
        if (said.length > 0 && said.every(isExcepted)) return [];
        const { method, uri, body } = interaction.request;
        return [
          `${check.name} ${operation}: ${said.join("; ")} (${method} ${uri} ${textOf(body)})`.slice(0, 600),
        ];
      }),
    );
  });
  return [...new Set(findings)];
}

/** Runs Schemathesis over the operations that match, with these headers. Returns its findings, and how many checks it made. */
async function run(headers: Record<string, string>, ...options: string[]) {
  const report = join(directory, `${crypto.randomUUID()}.ndjson`);
  const program = join(dirname(pythonWith("4.32.0", "schemathesis")), "schemathesis");
  const command = [
    ...[program, "run", document_file, "--url", service.url, "--seed", seed, "--generation-database", "none"],
    // A stream has no end, and without its key a name is of no use for the other calls.
    ...["--exclude-path-regex", "/stream$|^/api/name/(?:rotate|revoke)$"],
    ...["--phases", "coverage", "--continue-on-failure", "--no-shrink", "--warnings", "off", "--no-color"],
    ...["--request-timeout", "10", "--report", "ndjson", "--report-ndjson-path", report],
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...options,
  ];
  console.log(`Schemathesis: WHARF_TEST_SEED=${seed}`);
  const child = Bun.spawn(command, { cwd: directory, stdout: "pipe", stderr: "pipe" });
  const [out] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const lines = (await Bun.file(report).text()).trimEnd().split("\n");
  const events = lines.map((line) => JSON.parse(line) as Event);
  const checks = events.flatMap(({ ScenarioFinished }) =>
    Object.values(ScenarioFinished?.recorder?.checks ?? {}).flat(),
  );
  return { findings: findingsIn(events), checks: checks.length, out };
}

const lacks_python = lacks("the tests with Schemathesis", "python3");

test.skipIf(lacks_python)(
  "without a credential",
  async () => {
    const { findings, checks } = await run({});
    expect(findings).toEqual([]);
    expect(checks).toBeGreaterThan(10_000);
  },
  install_timeout_ms,
);

test.skipIf(lacks_python)(
  "with the key of a name",
  async () => {
    const { pair } = await claim(service.url, "Tester");
    const { findings, checks } = await run(pair, "--exclude-path-regex", "^/api/admin/");
    expect(findings).toEqual([]);
    expect(checks).toBeGreaterThan(10_000);
  },
  install_timeout_ms,
);

test.skipIf(lacks_python)(
  "with the token of an operator",
  async () => {
    const made = await asOwner<{ token: string }>(service, "POST", "/api/admin/tokens", {
      label: "schemathesis",
      scope: "operate",
    });
    const authorization = `Bearer ${made.body.token}`;
    const { findings, checks } = await run(
      { authorization },
      "--include-path-regex",
      "^/(?:api/)?admin",
      "--exclude-checks",
      "ignored_auth",
    );
    expect(findings).toEqual([]);
    expect(checks).toBeGreaterThan(3_000);
  },
  install_timeout_ms,
);
