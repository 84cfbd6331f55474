/** Mentions of names in any script: where a name ends in scripts whose words follow without a space, and how a name may be written. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Claimed } from "../../src/api/names/names.ts";
import { post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

interface Mention {
  name: string;
  claimed: boolean;
  notified: boolean;
}

const claimed_names = ["Ünal", "はるか", "はるか彼方", "نور", "สมชาย", "하늘", "Ada", "さき"];
let service: SourceService;
let room: Opened;
beforeAll(async () => {
  service = await startSource();
  room = await open(service.url, "Who is meant?");
  for (const name of claimed_names) await claim(service.url, name);
});
afterAll(() => service.stop());

const say = async (body: string, headers = {}) =>
  (await post<{ id: string; mentions?: Mention[] }>(`${room.api}/posts`, { name: "Eve", body }, headers))
    .body;
const reached = (name: string): Mention => ({ name, claimed: true, notified: true });
const unclaimed = (name: string): Mention => ({ name, claimed: false, notified: false });

describe("a post notifies", () => {
  test.each([
    ["a name between spaces", "@Ünal @はるか @نور @สมชาย @하늘", ["Ünal", "はるか", "نور", "สมชาย", "하늘"]],
    ["a name in another case, and in form NFD", `@ÜNAL, ${"@ünal".normalize("NFD")}`, ["ÜNAL"]],
    ["a name of decomposed syllables", "@하늘이".normalize("NFD"), ["하늘"]],
    ["a name that is followed by a title", "@はるかさん、@하늘님!", ["はるか", "하늘"]],
    ["a name that is followed by other words", "@สมชายครับ @AdaさんとUnal", ["สมชาย", "Ada"]],
    ["the longest of the names that a word begins with", "@はるか彼方へ", ["はるか彼方"]],
    ["a name once, however it is continued", "@はるかさん @はるかは @はるか", ["はるかさん".slice(0, 3)]],
    ["a name behind a word without a space", "質問です@はるかさん、네@Ada", ["はるか", "Ada"]],
    ["a name in a text from right to left", "هل تعرف @نور؟", ["نور"]],
  ])("%s", async (_what, body, names) => {
    expect((await say(body)).mentions).toEqual(names.map(reached));
  });

  test.each([
    ["a longer word of a script with spaces", "@Ünala @نورا", ["Ünala", "نورا"]],
    ["the beginning of a syllable", "@하느", ["하느"]],
    ["a name with another number", "@はるか2", ["はるか2"]],
    ["a word of one letter", "@はは", ["はは"]],
  ])("nobody by %s", async (_what, body, names) => {
    await claim(service.url, "は").catch(() => {});
    expect((await say(body)).mentions).toEqual(names.map(unclaimed));
  });

  test("nobody by an address of mail", async () => {
    for (const body of ["ünal@Ada.example", "x@はるか"])
      expect(await say(body)).not.toHaveProperty("mentions");
  });

  test("a name within a word that is longer than any name", async () => {
    expect((await say(`@はるか${"の".repeat(3_000)}`)).mentions).toEqual([reached("はるか")]);
    expect((await say(`@さら${"の".repeat(100)}`)).mentions).toEqual([unclaimed(`さら${"の".repeat(14)}`)]);
    expect(await say(`@${"é".repeat(65)}`)).not.toHaveProperty("mentions");
  });
});

test("a post that is sent again returns the same names, and what is stored has none of them", async () => {
  const headers = { "idempotency-key": "joined-0123456789-0123456789-ab" };
  const body = "@はるかさん、@さきさん @はるかは @だれかさん";
  const first = await say(body, headers);
  expect(first.mentions).toEqual([reached("はるか"), reached("さき"), unclaimed("だれかさん")]);
  // A name that is claimed in the meantime changes nothing.
  await claim(service.url, "だれか");
  expect(await say(body, headers)).toEqual(first);
});

describe("a claim returns earlier mentions", () => {
  const earlierOf = async (name: string) => {
    service.clock.advance(1);
    const { body } = await post<Claimed>(`${service.url}/api/name`, { name });
    return body.mentions?.map(({ excerpt }) => excerpt);
  };
  test.each([
    ["of a name with a mark, however it is written", "Zoë", ["@ZOË!", "@zoë".normalize("NFD")]],
    ["of a name that is continued", "すず", ["@すず", "ねえ@すずちゃん、いる?"]],
    ["of a name with vowels that are marks", "ศิริ", ["@ศิริครับ"]],
    ["of a name from right to left", "سلمى", ["يا @سلمى، أين أنت؟"]],
  ])("%s", async (_what, name, bodies) => {
    for (const body of [...bodies, `${name} is no mention`, `@${name}2`]) await say(body);
    expect(await earlierOf(name)).toEqual(bodies.toReversed());
  });
});
