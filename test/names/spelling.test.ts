/** Other spellings of a claimed name: a table of spellings of "Zoo-10 Keeper". */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { get, post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { startSource, type TestService } from "../support/service.ts";

/**
 * `claimed`: the claimed name itself, refused without its key (403).
 * `looks like it`: another name that readers cannot distinguish from it, refused as well (403).
 * `another`: a name of its own, under which anybody can post.
 * `refused`: no name that a person could have typed (422).
 */
type Becomes = "claimed" | "looks like it" | "another" | "refused";

const table: [what: string, spelling: string, becomes: Becomes][] = [
  ["as it was claimed", "Zoo-10 Keeper", "claimed"],
  ["lower case", "zoo-10 keeper", "claimed"],
  ["upper case", "ZOO-10 KEEPER", "claimed"],
  ["0 for o", "Z00-10 Keeper", "claimed"],
  ["o for 0", "Zoo-1o Keeper", "claimed"],
  ["O for 0", "Zoo-1O Keeper", "claimed"],
  ["l for 1", "Zoo-l0 Keeper", "claimed"],
  ["L for 1", "Zoo-L0 Keeper", "claimed"],
  ["I for 1", "Zoo-I0 Keeper", "another"],
  ["i for 1", "Zoo-i0 Keeper", "another"],
  ["| for 1", "Zoo-|0 Keeper", "another"],
  ["3 for e", "Zoo-10 K33per", "another"],
  ["5 for s, where there is none", "Zoo5-10 Keeper", "another"],
  ["underscore for dash", "Zoo_10 Keeper", "claimed"],
  ["dots", "Zoo.10.Keeper", "claimed"],
  ["spaces only", "Zoo 10 Keeper", "claimed"],
  ["dashes only", "zoo-10-keeper", "claimed"],
  ["runs of separators", "Zoo--10 -_. Keeper", "claimed"],
  ["no separators", "Zoo10Keeper", "another"],
  ["one separator more", "Zoo-1-0 Keeper", "another"],
  ["a slash", "Zoo/10 Keeper", "another"],
  ["a dot at the end", "Zoo-10 Keeper.", "claimed"],
  ["a dash at the beginning", "-Zoo-10 Keeper", "claimed"],
  ["separators around it", "__Zoo-10 Keeper__", "claimed"],
  ["a blank braille pattern at the end", "Zoo-10 Keeper\u2800", "refused"],
  ["an exclamation mark at the end", "Zoo-10 Keeper!", "another"],
  ["full-width letters", "Ｚｏｏ-10 Ｋｅｅｐｅｒ", "claimed"],
  ["full-width digits", "Zoo-１０ Keeper", "claimed"],
  ["full-width low line", "Zoo＿10 Keeper", "claimed"],
  ["mathematical bold", "𝐙𝐨𝐨-𝟏𝟎 𝐊𝐞𝐞𝐩𝐞𝐫", "claimed"],
  ["mathematical script", "𝒵ℴℴ-10 Keeper", "claimed"],
  ["double-struck", "ℤ𝕠𝕠-𝟙𝟘 𝕂eeper", "claimed"],
  ["circled letters", "Ⓩⓞⓞ-①⓪ Keeper", "claimed"],
  ["superscript digits", "Zoo-¹⁰ Keeper", "claimed"],
  ["Kelvin sign for K", "Zoo-10 \u212Aeeper", "refused"],
  ["Cyrillic о for o", "Zоо-10 Keeper", "looks like it"],
  ["Cyrillic е for e", "Zoo-10 Kееper", "looks like it"],
  ["Cyrillic К for K", "Zoo-10 Кeeper", "looks like it"],
  ["Greek ο for o", "Zοο-10 Keeper", "looks like it"],
  ["Greek Ζ for Z", "Ζoo-10 Keeper", "looks like it"],
  ["dotless ı for 1", "Zoo-ı0 Keeper", "looks like it"],
  ["small capital ᴋ", "Zoo-10 ᴋeeper", "another"],
  ["Arabic-Indic digits", "Zoo-١٠ Keeper", "another"],
  ["an accent, composed", "Zóo-10 Keeper", "another"],
  ["an accent, decomposed", "Zo\u0301o-10 Keeper", "refused"],
  ["a combining mark that composes with nothing", "Zoo-10 Keepe\u0353r", "another"],
  ["en dash", "Zoo–10 Keeper", "looks like it"],
  ["minus sign", "Zoo−10 Keeper", "looks like it"],
  ["hyphen U+2010", "Zoo‐10 Keeper", "looks like it"],
  ["non-breaking hyphen", "Zoo‑10 Keeper", "looks like it"],
  ["no-break space", "Zoo-10\u00a0Keeper", "refused"],
  ["ideographic space", "Zoo-10\u3000Keeper", "refused"],
  ["two spaces", "Zoo-10  Keeper", "refused"],
  ["a space at the end", "Zoo-10 Keeper ", "refused"],
  ["a tab", "Zoo-10\tKeeper", "refused"],
  ["a line end", "Zoo-10 Keeper\n", "refused"],
  ["zero-width space", "Zoo-10 Kee\u200bper", "refused"],
  ["zero-width joiner", "Zoo-10 Kee\u200dper", "refused"],
  ["zero-width non-joiner", "Zoo-10 Kee\u200cper", "refused"],
  ["word joiner", "Zoo-10 Kee\u2060per", "refused"],
  ["soft hyphen", "Zoo-10 Kee\u00adper", "refused"],
  ["byte-order mark", "\ufeffZoo-10 Keeper", "refused"],
  ["right-to-left override", "\u202eZoo-10 Keeper", "refused"],
  ["left-to-right mark", "Zoo-10 Keeper\u200e", "refused"],
  ["variation selector", "Zoo-10 Keeper\ufe0f", "refused"],
  ["combining grapheme joiner", "Zoo-10 Kee\u034fper", "refused"],
  ["Hangul filler", "Zoo-10\u3164Keeper", "refused"],
  ["Mongolian vowel separator", "Zoo-10 Kee\u180eper", "refused"],
  ["a tag character", "Zoo-10 Keeper\u{e0041}", "refused"],
  ["an invisible operator", "Zoo-10 Kee\u2062per", "refused"],
  ["NUL", "Zoo-10 Kee\0per", "refused"],
  ["half a surrogate pair", "Zoo-10 Keeper\ud800", "refused"],
];

const statuses: Record<Becomes, number> = { claimed: 403, "looks like it": 403, another: 201, refused: 422 };

let service: TestService;
let posts: string;
beforeAll(async () => {
  service = await startSource();
  await claim(service.url, "Zoo-10 Keeper");
  const room = await post<{ api: string }>(`${service.url}/api/meet/rooms`, { goal: "Spelling", name: "x" });
  posts = `${room.body.api}/posts`;
});
afterAll(() => service.stop());

test.each(table)("%s: %j is %s", async (_what, spelling, becomes) => {
  const { status, body } = await post(posts, { name: spelling, body: "hello" });
  expect(status).toBe(statuses[becomes]);
  if (statuses[becomes] === 403) expect(body.code).toBe("name_is_claimed");
  if (becomes === "another") expect(body).toMatchObject({ name: spelling, claimed: false });
  if (becomes === "refused") expect(body.errors).toMatchObject([{ path: "/name" }]);
});

test("finds a claimed name under the same spellings, and refuses a claim of any of them", async () => {
  for (const [what, spelling, becomes] of table) {
    if (becomes === "refused") continue;
    const found = await get(`${service.url}/api/name/${encodeURIComponent(spelling)}`);
    expect(found.status, what).toBe(becomes === "claimed" ? 200 : 404);
    if (becomes !== "claimed") continue;
    expect(found.body.name, what).toBe("Zoo-10 Keeper");
    const claimed = await post(`${service.url}/api/name`, { name: spelling });
    expect([409, 422], what).toContain(claimed.status);
  }
});
