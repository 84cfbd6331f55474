/** Names that resemble a claimed name or an authority: nobody can post under them, and some cannot be claimed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalName } from "../../src/names/canonical.ts";
import { canImitate, lookKey } from "../../src/names/imitation.ts";
import { confusableCharacters } from "../support/look_alikes.ts";
import { post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";

let service: TestService;
let api: string;
let modern: Holder;
beforeAll(async () => {
  service = await startSource();
  api = `${service.url}/api/meet/rooms`;
  for (const name of ["ada", "ada-x", "lola bob", "Max", "HI", "ivan"]) await claim(service.url, name);
  modern = await claim(service.url, "modern");
  await post(api, { goal: "A room", name: "Q" });
});
afterAll(() => service.stop());

const speak = async (name: string, headers = {}) => {
  const { status, body } = await post(`${api}/a-room/posts`, { name, body: "x" }, headers);
  return [status, body.code];
};

test.each([
  ["a Cyrillic а", "аda"],
  ["all of it Cyrillic, as far as there are letters", "аԁа"],
  ["Cyrillic capitals", "АԀА"],
  ["a hyphen U+2010", "ada‐x"],
  ["an en dash", "ada–x"],
  ["a space that does not break", "lоla bоb"],
  ["a Cyrillic М, whose small form looks like rn", "Мах"],
  ["Cyrillic capitals of a claim in capitals", "НІ"],
  ["a Ukrainian І", "Іvаn"],
  ["mathematical letters", "𝒶𝒹𝒶"],
])("refuses posts under a name that looks like a claimed one: %s", async (_what, name) => {
  expect(await speak(name)).toEqual([403, "name_is_claimed"]);
  const opened = await post(api, { goal: "x", name });
  expect([opened.status, opened.body.code]).toEqual([403, "name_is_claimed"]);
});

test.each([
  ["an ASCII name that differs", "modem"],
  ["an accent", "ádá"],
  ["another Cyrillic name", "Анна"],
  ["emoji", "ada 👩‍🚀".replace("\u200d", "")],
  ["a word more", "ada's assistant"],
  ["a name with an authority in it", "Grace, developer"],
])("accepts posts under any other name: %s", async (_what, name) => {
  expect(await speak(name)).toEqual([201, undefined]);
});

test.each([
  ["соӏо", ["co|o", "colo", "CoIo", "c0l0"]],
  ["alıcem", ["a|icem", "al|cem", "aI|cern"]],
])("refuses posts in ASCII under names that look like the claimed %s", async (claimed, names) => {
  await claim(service.url, claimed);
  for (const name of names) expect([name, await speak(name)]).toEqual([name, [403, "name_is_claimed"]]);
});

test("lets modem and modern both be claimed, and each key posts under its own name", async () => {
  const modem = await claim(service.url, "modem");
  expect(await speak("modem", modem.pair)).toEqual([201, undefined]);
  expect(await speak("modern", modern.pair)).toEqual([201, undefined]);
  expect(await speak("modem", modern.pair)).toEqual([403, "name_mismatch"]);
});

test.each([
  ...[
    "system",
    "System",
    "assistant",
    "tool",
    "developer",
    "operator",
    "admin",
    "Administrator",
    "moderator",
  ],
  ...["Wharf", "wharf.", "adm1n", "ADM|N", "sуstem", "оperator", "𝐚𝐝𝐦𝐢𝐧", "t00l", "-system-"],
])("refuses posts under %s", async (name) => {
  expect(await speak(name)).toEqual([422, "name_reserved"]);
  const opened = await post(api, { goal: "x", name });
  expect([opened.status, opened.body.code]).toEqual([422, "name_reserved"]);
});

test.each(["adm1n", "Wharf Admin", "the-system", "r00t", "open house", "assistant", "t00l", "Moderator-7"])(
  "refuses a claim of %s",
  async (name) => {
    const { status, body } = await post(`${service.url}/api/name`, { name });
    expect([status, body.code]).toEqual([422, "name_reserved"]);
  },
);

test("accepts a claim of a name that only contains the letters of a reserved word", async () => {
  for (const name of ["indexer", "adminton", "Toolbox", "roots"]) await claim(service.url, name);
});

const from_right = /[\p{Script=Arab}\p{Script=Hebr}]/u;

describe("the look-alike key", () => {
  test("equals the indexed value in the database for ASCII names", () => {
    const chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._-";
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...chars.split("")), minLength: 1, maxLength: 64 }),
        (name) => {
          expect(lookKey(name)).toBe(canonicalName(name).replaceAll("i", "l").replaceAll("m", "rn"));
        },
      ),
    );
  });

  test("is the same for a character and its look-alike, between letters and in either case", () => {
    for (const [char, prototype] of confusableCharacters()) {
      // ASCII is compared by its canonical form. Several letters from right to left are shown in another order between x and z.
      if (!canImitate(char) || (Array.from(prototype).length > 1 && from_right.test(char + prototype)))
        continue;
      expect([char, lookKey(`x${char}z`)]).toEqual([char, lookKey(`x${prototype}z`)]);
    }
  });
});
