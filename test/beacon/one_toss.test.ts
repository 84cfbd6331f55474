/** One toss for all: who has its line has the same coin, over HTTP, by a tool, in a shell and on the page. */

import { describe, expect, test } from "bun:test";
import type { BeaconRound } from "../../src/api/beacon/beacon.ts";
import { get, send } from "../support/http.ts";
import { useShell } from "../support/shell.ts";
import { callTool } from "../support/tools.ts";

const used = useShell();

const tool = (args: object) => callTool(used.service.url, "beacon", args);
const tossAt = (query: Record<string, string>) =>
  get<BeaconRound>(`${used.service.url}/api/beacon/toss?${new URLSearchParams(query)}`);
const lineIn = (text: string) => /^(?:> |    )?(toss \d+-[0-9a-f]{6}.*)$/m.exec(text)![1]!;
/** A page without the marks that isolate words. */
const wordsOf = (html: string) => html.replace(/<\/?bdi>/g, "");
const sha256 = (text: string) => Bun.SHA256.hash(text, "hex");

/** Ends all rounds that were proposed by now. */
const endRounds = () => used.service.clock.advance(240);

describe("a toss in words of one side", () => {
  test("is the same for a shell, a tool, HTTP and the page, and each sees which side won and how to check it", async () => {
    const { service, shell } = used;
    const { url } = service;
    // A proposes it in a shell, and posts what that prints.
    const proposed = await shell.run("beacon", "toss", "Who begins?", "--tails", "Bob ", "--heads", " Ada");
    expect([proposed.status, proposed.errors]).toEqual([0, ""]);
    const line = lineIn(proposed.printed);
    expect(line).toMatch(/^toss \d+-[0-9a-f]{6}: Who begins\?; heads: Ada; tails: Bob$/);
    const opened = await shell.run("open", "We settle who begins", "--as", "A", "--json");
    const room = (JSON.parse(opened.printed) as { slug: string }).slug;
    await shell.run("say", room, `I propose:\n${line}`, "--as", "A");

    // B reads the room with a tool and pastes the line.
    const read = await callTool(url, "meet_read", { room });
    const found = lineIn(read.content[0]!.text);
    expect(found).toBe(line);
    const agreed = await tool({ toss: found });
    expect(agreed.structuredContent).toMatchObject({ toss: line });
    expect(agreed.content[0]!.text).toContain("All post this toss before ");

    // C pastes it over HTTP, a person on the page.
    expect((await tossAt({ toss: line })).body).toMatchObject({ toss: line, revealed: false });
    const page = await send("GET", `${url}/beacon?${new URLSearchParams({ toss: line })}`);
    expect(page.status).toBe(303);
    const address = page.headers.get("location")!;
    expect(wordsOf((await send("GET", address)).body)).toContain(Bun.escapeHTML(line));

    endRounds();
    const { body } = await tossAt({ toss: line });
    const { coin } = body.value!;
    const winner = { heads: "Ada", tails: "Bob" }[coin];
    expect(body).toMatchObject({ toss: line, means: winner, revealed: true });
    const { content, structuredContent } = await tool({ toss: line, wait_seconds: 50 });
    expect(structuredContent).toMatchObject({ toss: line, means: winner, value: { coin } });
    expect(content[0]!.text).toContain(`coin: ${coin}\nmeans: "${winner}"`);
    expect(content[0]!.text).toContain("heads if its first byte is odd");
    const tossed = await shell.run("beacon", "toss", line);
    expect(tossed.printed).toContain(`\nresult      ${coin}: "${winner}"\n`);
    expect(tossed.printed).toContain("heads if its first byte is odd");
    const result = (await send("GET", address)).body;
    expect(result).toContain(coin === "heads" ? ">Heads<" : ">Tails<");
    expect(result).toContain(`data-outcome>${winner}<`);
    for (const shown of [Bun.escapeHTML(line), "heads if its first byte is odd"])
      expect(wordsOf(result)).toContain(shown);
    const twin = await send("GET", address, { accept: "text/markdown" });
    for (const shown of [`> ${line}`, `${coin} means:\n> ${winner}`, "heads if its first byte is odd"])
      expect(twin.body).toContain(shown);

    // The formula, as an answer gives it, by hand.
    const hex = sha256(`${body.seed}:Who begins?; heads: Ada; tails: Bob`);
    expect(body.value!.hex).toBe(hex);
    expect(coin).toBe(Number.parseInt(hex.slice(0, 2), 16) % 2 === 1 ? "heads" : "tails");

    // And by the verifier, with the line that was posted, as the shell says.
    expect(tossed.printed).toContain(`check       wharf beacon verify '${line}'`);
    const verified = await shell.run("beacon", "verify", line);
    expect([verified.status, verified.errors]).toEqual([0, ""]);
    expect(verified.printed).toContain(`\ndrawn ${coin}: "${winner}"\n`);
  });

  test.each([
    [
      { label: "Who begins?", heads: "Ada", tails: "Bob" },
      { label: " Who  begins?\n", heads: "Ada ", tails: "Bob" },
    ],
    [{ label: "Lunch; heads: Ann; tails: Bob" }, { label: "Lunch; Tails:Bob; Heads: Ann" }],
    [{ label: "Cafe\u0301" }, { label: "Caf\u00e9" }],
    [
      { label: "lunch", int: "1..6" },
      { label: "lunch ", int: "1..6" },
    ],
  ])("has one line for %j and %j", async (one, other) => {
    const { body } = await tossAt(one as never);
    expect(body.toss).toMatch(/^toss /);
    expect((await tossAt(other as never)).body.toss).toBe(body.toss!);
    expect((await tool(other)).structuredContent!.toss).toBe(body.toss!);
  });

  test.each(["Who begins?", "toss", "\u200bWho", '"quoted"', "a; b; heads: x", "who begins?; heads: Ada"])(
    "is shown in full, and read back, with the label %j",
    async (label) => {
      const { body } = await tossAt({ label });
      endRounds();
      const again = (await tossAt({ toss: body.toss! })).body;
      expect(again.toss).toBe(body.toss!);
      expect(again.value!.label).toBe(label);
    },
  );

  test("that was changed on its way is refused by every transport, and another one has other digits", async () => {
    const { toss } = (await tossAt({ label: "Who begins?", heads: "Ada", tails: "Bob" })).body;
    const changed = toss!.replace("Who", "who");
    const refusal = "its words do not match the digits after its round";
    expect((await tossAt({ toss: changed })).status).toBe(422);
    expect((await tool({ toss: changed })).content[0]!.text).toContain(refusal);
    const { status, errors } = await used.shell.run("beacon", "toss", changed);
    expect([status, errors]).toEqual([2, expect.stringContaining(refusal)]);
    const page = await send("GET", `${used.service.url}/beacon?${new URLSearchParams({ toss: changed })}`);
    expect([page.status, page.body]).toEqual([422, expect.stringContaining(refusal)]);
    const other = (await tossAt({ label: "who begins?", heads: "Ada", tails: "Bob" })).body.toss!;
    expect(other.slice(0, 20)).not.toBe(toss!.slice(0, 20));
  });
});

describe("a draw", () => {
  test.each([
    { int: "-3..3" },
    { pick: "Ada,Bob: x,Eve", n: "2" },
    { pick: "only" },
    { shuffle: 'a"b,<c>,\\d' },
  ])("has a line that every transport takes: %j", async (draw) => {
    const { body } = await tossAt({ label: "who pays?", ...draw } as never);
    const toss = body.toss!;
    endRounds();
    const over_http = (await tossAt({ toss })).body;
    const { content, structuredContent } = await tool({ toss });
    expect(structuredContent!.result).toEqual(over_http.draw!.result);
    expect(content[0]!.text).toContain(over_http.formula!);
    const tossed = await used.shell.run("beacon", "toss", toss);
    expect(tossed.printed).toContain(`result      ${JSON.stringify(over_http.draw!.result)}`);
    expect(tossed.printed).toContain(over_http.formula!);
    const verified = await used.shell.run("beacon", "verify", toss);
    expect(verified.printed).toContain(`drawn ${JSON.stringify(over_http.draw!.result)}`);
    const { round, label } = { round: body.round, label: "who pays?" };
    const old_way = `${used.service.url}/api/beacon/${round}?${new URLSearchParams({ label, ...draw } as never)}`;
    // What is cached for one address is not served at the other.
    for (let times = 0; times < 3; times++) {
      expect((await tossAt({ toss })).body).toEqual(over_http);
      expect((await get<BeaconRound>(old_way)).body).toEqual({ ...over_http, agree_before: undefined });
    }
  });

  test.each([
    [{ label: "x", int: "1..6", heads: "Ada" }, "heads: is for a coin"],
    [{ heads: "Ada" }, null],
    [{ label: " " }, "label: is required: what the toss is about"],
    [{ label: "Heads: Bob", heads: "Ada", tails: "Bob" }, "label: also says what a side means"],
    [{ label: "x".repeat(190), heads: "Ada and Bob" }, "label: has 210 characters with what the sides mean"],
    [{ toss: "toss 29539442: x", label: "x" }, "toss: says all of it"],
    [{ toss: "Who begins?" }, "toss: must be the whole line of a toss"],
    [{ toss: 'toss 29539442 pick 1 of "a: x' }, "toss: must be the whole line of a toss"],
    [{ toss: "toss 29539442 int 6..1: x" }, "int: must be two whole numbers"],
  ])("that is proposed as %j is answered with %j", async (query, refusal) => {
    const { status, body } = await tossAt(query as never);
    if (refusal === null) return expect(status).toBe(200);
    expect([status, (body as unknown as { detail: string }).detail]).toEqual([
      422,
      expect.stringContaining(refusal),
    ]);
  });
});

test("precommitted: false comes with its reason wherever it is shown", async () => {
  const { service, shell } = used;
  const { now } = (await get<{ now: { round: number } }>(`${service.url}/api/beacon`)).body;
  const round = now.round - 1;
  const reason = /^its day had begun; true from 2026-03-02 on$/;
  const path = `${service.url}/api/beacon/${round}`;
  const { proof } = (await get<BeaconRound>(path)).body;
  expect(proof.precommitted).toBe(false);
  const why = proof.why_not_precommitted!;
  expect(why).toMatch(reason);
  for (const answer of [`${path}?fields=lean`, `${service.url}/api/beacon/days/2026-03-01`])
    expect((await get(answer)).body).toMatchObject({ precommitted: false, why_not_precommitted: why });
  expect((await tool({ round })).content[0]!.text).toContain(
    `precommitted: false\nwhy_not_precommitted: ${why}`,
  );
  expect((await shell.run("beacon", "show", String(round))).printed).toContain(`precommitted: false  ${why}`);
  for (const page of ["", ".md"])
    expect((await send("GET", `${service.url}/beacon/${round}${page}`)).body).toContain(why);
  const later = (await get<BeaconRound>(`${service.url}/api/beacon/${round + 1_440}`)).body.proof;
  expect(later.precommitted).toBe(true);
  expect(later).not.toHaveProperty("why_not_precommitted");
});

test("verify says when the round of a toss ends", async () => {
  const { shell } = used;
  const { toss } = JSON.parse(
    (await shell.run("beacon", "toss", "Who begins?", "--json")).printed,
  ) as BeaconRound;
  const { printed, errors, status } = await shell.run("beacon", "verify", toss!);
  expect([printed, status]).toEqual(["", 1]);
  expect(errors).toMatch(
    / answered 425: The round has not ended: its seed is not out\. Try again in \d+ s\.\n$/,
  );
});

test("verify without options prints the coin", async () => {
  const { service, shell } = used;
  const { last_revealed } = (await get<{ last_revealed: BeaconRound }>(`${service.url}/api/beacon`)).body;
  const { printed, status } = await shell.run("beacon", "verify");
  expect(status).toBe(0);
  expect(printed).toContain(`\ndrawn ${last_revealed.value!.coin}\n`);
});

describe("what those who agree on a toss must know", () => {
  const proposal = { label: "Who waits?", heads: "Ada", tails: "Bob" };

  test("is until when to agree, in every answer about it, before and after its round", async () => {
    const { shell } = used;
    const proposed = (await tossAt(proposal)).body;
    const line = proposed.toss!;
    const until = proposed.starts.replace(/\.\d+Z$/, "Z");
    expect(proposed.agree_before).toBe(proposed.starts);
    expect((await tossAt({ toss: line, fields: "lean" })).body.agree_before).toBe(until);
    expect((await shell.run("beacon", "toss", line)).printed).toContain(
      `agree       before ${proposed.starts}`,
    );
    endRounds();
    expect((await tossAt({ toss: line, fields: "lean" })).body.agree_before).toBe(until);
    expect((await tool({ toss: line })).content[0]!.text).toContain(`agree_before: ${until}`);
    const late = (await shell.run("beacon", "toss", line)).printed;
    expect(late).toContain(`fair        only if agreed before ${proposed.starts}`);
    // Nobody should be invited to agree on a round whose value is known.
    expect(late).not.toContain("\npaste ");
  });

  test("is where the label is that is hashed, in the formula", async () => {
    const line = (await tossAt(proposal)).body.toss!;
    endRounds();
    const label = "Who waits?; heads: Ada; tails: Bob";
    const lean = (await tossAt({ toss: line, fields: "lean" })).body as unknown as {
      seed: string;
      value: { hex: string };
      formulas: string;
    };
    expect(lean).toMatchObject({ value: { hex: sha256(`${lean.seed}:${label}`) } });
    expect(lean.formulas).toContain("hex = sha256 of the text seed:label, label: the toss after its colon");
  });
});

test("sides in the label and sides beside it make one toss; a side that is given twice is refused", async () => {
  const whole = (await tossAt({ label: "x", heads: "Ada", tails: "Eve" })).body.toss;
  expect((await tossAt({ label: "x; tails: Eve", heads: "Ada" })).body.toss).toBe(whole!);
  const twice = { label: "x; heads: Bob", heads: "Ann", tails: "Carl" };
  expect((await tossAt(twice)).status).toBe(422);
  const form = new URLSearchParams({ draw: "coin", round: "next", ...twice });
  expect((await send("GET", `${used.service.url}/beacon?${form}`)).status).toBe(422);
});

test("the verifier escapes the items of a line that a stranger posted", async () => {
  const round = Math.floor(used.service.clock.now() / 60_000) - 2;
  const items = JSON.stringify("a\u009b31mX\u202eY,b");
  const line = `toss ${round} pick 1 of ${items}: x`;
  for (const how of [[], ["--json"]]) {
    const { printed } = await used.shell.run("beacon", "verify", line, ...how);
    expect(printed).not.toMatch(/[\u009b\u202e]/);
    expect(printed).toContain(how.length ? '"holds":true' : "everything holds");
  }
});

test("a subject that begins with the word toss and a number is a subject", async () => {
  const { printed, status } = await used.shell.run("beacon", "toss", "toss 3 coins");
  expect(status).toBe(0);
  expect(printed).toMatch(/toss \d+-[0-9a-f]{6}: toss 3 coins\n/);
});
