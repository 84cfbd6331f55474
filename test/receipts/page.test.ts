/** The page of receipts: what it says of each kind, and that no receipt or key is where it does not belong. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { describeVerdict, receiptIn } from "../../views/receipt_text.ts";
import type { Verdict } from "../../src/api/receipts/receipts.ts";
import { post, send } from "../support/http.ts";
import { payloadOf } from "../support/jobs.ts";
import { issueAll, type IssuedReceipt } from "../support/receipts.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let issued: IssuedReceipt[];
beforeAll(async () => {
  service = await startSource();
  issued = await issueAll(service.url);
});
afterAll(() => service.stop());

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
/** Posts the form as a browser does. */
const sendForm = (receipt: string, origin = service.url) =>
  send(
    "POST",
    `${service.url}/receipt`,
    { "content-type": "application/x-www-form-urlencoded", origin },
    new URLSearchParams({ receipt }).toString(),
  );
const receiptOf = (act: string) => issued.find(({ says }) => says.act === act)!.receipt;

describe("the sentence about a receipt", () => {
  test.each([
    [
      "meet.open",
      /^Zoë opened the room [a-z0-9-]+ on 1 Mar 2026, 12:00 UTC; the signature is this service's\.$/,
    ],
    ["meet.speak", /^Zoë posted a text in the room [a-z0-9-]+ on /],
    ["name.claim", /^The name Third R\d+ was claimed on /],
    ["job.post", /^Poster R\d+ posted this job on /],
    ["job.deliver", /^Worker R\d+ delivered a result for this job of Poster R\d+ on /],
    ["job.accept", /^Poster R\d+ accepted the result that Worker R\d+ delivered for this job on /],
  ])("says who did what, where and when: %s", async (act, sentence) => {
    const { body: verdict } = await post<Verdict>(`${service.url}/receipt/verify`, {
      receipt: receiptOf(act),
    });
    const parts = describeVerdict(verdict).sentence;
    const text = parts.map((part) =>
      typeof part === "string" ? part : "name" in part ? part.name : part.link,
    );
    expect(text.join("")).toMatch(sentence);
    for (const part of parts) {
      if (typeof part === "string" || "name" in part) continue;
      expect((await fetch(service.url + part.path)).status).toBe(200);
    }
  });

  test("has no link to anything but rooms and jobs", () => {
    const payload = { ...payloadOf(receiptOf("meet.speak")), where: "//example.com/meet/r/x" };
    const described = describeVerdict({
      verdict: "valid",
      payload: payload as never,
      attests: "",
      does_not_attest: "",
    });
    expect(described.sentence.filter((part) => typeof part === "object" && "path" in part)).toEqual([]);
  });
});

test("finds the receipt in a whole answer", () => {
  const receipt = receiptOf("meet.open");
  expect(receiptIn(JSON.stringify({ url: "http://a.b.c/x", receipt, host_key: "wfh_x" }, null, 2))).toBe(
    receipt,
  );
  expect(receiptIn(`\n ${receipt} \n`)).toBe(receipt);
  expect(receiptIn(`text":"\\n${receipt}\\n"`)).toBe(receipt);
  expect(receiptIn(`at example.${receipt}`)).toBe(receipt);
  expect(receiptIn(" nothing ")).toBe("nothing");
});

test("looks for a receipt once in each part of a text, however often one seems to begin", () => {
  // Looking on from each of these beginnings would take hours.
  for (const text of [
    "eyJ".repeat(5_000_000),
    "eyJ.".repeat(5_000_000),
    "eyJa.a.".repeat(2_000_000),
    "a".repeat(5_000_000),
  ]) {
    expect(receiptIn(text).length).toBeGreaterThan(0);
  }
});

describe("the form without scripts", () => {
  test("gives the verdict in a page that no cache stores, and the receipt is in no address", async () => {
    const { status, headers, body } = await sendForm(receiptOf("meet.speak"));
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(textOf(body)).toContain("The receipt is valid");
    expect(textOf(body)).toContain("Zoë posted a text in the room");
    expect(body).toContain('method="post"');
    expect(body).not.toMatch(/(?:href|action|src)="[^"]*eyJ/);
    expect(headers.get("link")).not.toContain("eyJ");
  });

  test("shows neither a text nor a key that is no receipt as valid, and never returns a key", async () => {
    const key = (await post<{ host_key: string }>(`${service.url}/api/meet/rooms`, { goal: "x", name: "x" }))
      .body.host_key;
    const { body } = await sendForm(key);
    expect(textOf(body)).toContain("The receipt is not valid");
    expect(body).not.toContain(key);
    expect(textOf((await sendForm("")).body)).toContain("The receipt is not valid");
  });

  test("refuses a form of another origin", async () => {
    expect((await sendForm(receiptOf("meet.speak"), "https://elsewhere.example")).status).toBe(403);
  });
});

test("a receipt of an unlisted room has its warning on the page", async () => {
  const room = { goal: "Hidden", name: "x", visibility: "unlisted" };
  const { receipt } = (await post<{ receipt: string }>(`${service.url}/api/meet/rooms`, room)).body;
  expect((await sendForm(receipt)).body).toContain('class="warning"');
  expect((await sendForm(receiptOf("meet.open"))).body).not.toContain('class="warning"');
});
