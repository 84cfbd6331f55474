/** Names in any script: which can be claimed, and that none is claimed beside one that looks like it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { repeatedWhileBusy } from "../support/busy.ts";
import { get, post } from "../support/http.ts";
import { known_attacks, pairsAcrossScripts, type Pair } from "../support/look_alikes.ts";
import { claim } from "../support/names.ts";
import { lacks_postgres, startPostgres } from "../support/postgres_server.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let posts: string;
beforeAll(async () => {
  service = await startSource();
  const room = await post<{ api: string }>(`${service.url}/api/meet/rooms`, { goal: "Names", name: "Q" });
  posts = `${room.body.api}/posts`;
});
afterAll(() => service.stop());

const claimAt = (url: string, name: string) => post(`${url}/api/name`, { name });
const claimed = async (name: string) => {
  const { status, body } = await claimAt(service.url, name);
  return [status, body.code];
};
const speak = async (name: string, headers = {}) => {
  const { status, body } = await post(posts, { name, body: "hello" }, headers);
  return [status, body.code];
};

test.each([
  ...["Ünal", "Zoë Łukasz", "José-María", "Nguyễn Văn A", "Işıl", "Straßer"],
  ...[
    "はるか",
    "ジョン スミス",
    "山田 太郎",
    "ローマ字",
    "王小明",
    "王 Wang",
    "김하늘",
    "한자 漢字",
    "株式会社 ABC 3",
  ],
  ...["Дарья", "Ђорђе", "Νίκος", "Հայկ", "ქეთი", "نور", "محمد ١٢", "علی رضا", "דויד", "דויד 2", "ދިވެހި"],
  ...[
    "สมชาย",
    "दिव्या",
    "दिव्या २",
    "বাংলা",
    "ਪੰਜਾਬੀ",
    "ગુજરાતી",
    "ଓଡ଼ିଆ",
    "தமிழ்",
    "తెలుగు",
    "ಕನ್ನಡ",
    "മലയാളം",
  ],
  ...["සිංහල", "ខ្មែរ", "ພາສາ", "မြန်မာ", "བོད", "አማርኛ", "字".repeat(64)],
])("claims %s, and posts with its key", async (name) => {
  const { bearer } = await claim(service.url, name);
  expect(await speak(name, bearer)).toEqual([201, undefined]);
  expect(await speak(name)).toEqual([403, "name_is_claimed"]);
  const found = await get(`${service.url}/api/name/${encodeURIComponent(name)}`);
  expect(found.body.name).toBe(name);
  const capitals = encodeURIComponent(name.toUpperCase());
  expect((await get(`${service.url}/api/name/${capitals}`)).body.name).toBe(name);
});

test("stores a name in normalisation form C, and counts its characters in it", async () => {
  const sent = "é".repeat(64).normalize("NFD");
  const { status, body } = await claimAt(service.url, sent);
  expect([status, body.name]).toEqual([201, sent.normalize("NFC")]);
  expect((await claimAt(service.url, "ö".repeat(65))).status).toBe(422);
});

const structure = /may hold letters, their marks, digits/;
const unusual = /only characters that UTS 39 allows/;
const mixed = /mixes scripts/;
test.each([
  ["Latin and Cyrillic", "аdmira", mixed],
  ["Latin and Greek", "pαul", mixed],
  ["Han and Hangul and kana", "王하る", mixed],
  ["Hebrew and Arabic", "אנور", mixed],
  ["two words in two scripts", "Anna Анна", mixed],
  ["a mark of another script", "ада\u0e34", mixed],
  ["digits of two scripts", "कमल २2", /mixes digits/],
  ["full-width letters", "ａｄａ", unusual],
  ["mathematical letters", "𝒶𝒹𝒶", unusual],
  ["a phonetic letter", "ɑda", unusual],
  ["a historic script", "𐌰𐌳𐌰", unusual],
  ["Cherokee, which few write", "ᎠᏓᎠ", unusual],
  ["a ligature", "ﬁona", unusual],
  ["five marks", "a\u0302\u0303\u0306\u0309\u030a", /more than 4 marks/],
  ["the same mark twice", "ada\u0323\u0323", /more than 4 marks/],
  ["a mark on a digit", "ada1\u0323", structure],
  ["a mark behind a space", "ada \u0323da", structure],
  ["a mark at the beginning", "\u0323ada", structure],
  ["an emoji", "ada😀", structure],
  ["a Roman numeral", "adaⅫ", structure],
  ["a fraction", "ada½", structure],
  ["an apostrophe", "O’Brien", structure],
  ["a middle dot between kana", "ジョン・スミス", structure],
  ["a zero-width joiner", "क्\u200dष", structure],
  ["a zero-width non-joiner", "علی\u200cرضا", structure],
  ["a right-to-left mark", "נור\u200f", structure],
  ["an isolate", "\u2067נור\u2069", structure],
  ["a variation selector", "王\ufe00", /no invisible characters/],
  ["a Hangul filler", "김\u3164늘", /no invisible characters/],
  ["an ideographic space", "王\u3000明", structure],
  ["a number first, from right to left", "2 דויד", /begin it with a letter/],
  ["two numbers in a row, from right to left", "דויד 1-2", /a letter between two numbers/],
])("refuses %s, and says which rule it breaks", async (_what, name, rule) => {
  const { status, body } = await claimAt(service.url, name);
  expect([status, body.code]).toEqual([422, "invalid_fields"]);
  expect(body.errors).toMatchObject([{ path: "/name", message: expect.stringMatching(rule) }]);
});

test.each([
  "ѕуѕТеМ",
  "гооТ",
  "орегаТог 7",
  "анна һоѕТ",
  "шһоаМі",
  "гоТаТе",
  "ТооІ",
  "ехрогТ",
  "ΗυΜαΝ",
  "ΤοοΙ",
  "ädmin-ädmin admin",
])("refuses a claim of %s: it has a reserved word, or one that looks like it", async (name) => {
  expect(await claimed(name)).toEqual([422, "name_reserved"]);
});

test("says before a claim and after a refusal which names are reserved", async () => {
  const { body: about } = await get<{ rules: string; reserved: string }>(`${service.url}/api/name`);
  expect(about.rules).toContain("one script");
  for (const word of ["wharf", "overseer", "whoami", "assistant", "grants"])
    expect(about.reserved).toContain(word);
  const page = await (await fetch(`${service.url}/claim`)).text();
  expect(page).toContain("one script");
  expect(page).toContain(about.reserved);
  const { body } = await claimAt(service.url, "root");
  expect(body.hint).toContain(about.reserved);
});

/** Expects that nobody can claim `other`, or post under it without its key, while `one` is claimed. */
async function expectRefusedBeside({ url }: SourceService, [one, other]: Pair): Promise<void> {
  const claiming = async (name: string) => {
    const { status, body } = await claimAt(url, name);
    return [one, other, name, status, body.code];
  };
  expect(await claiming(one)).toEqual([one, other, one, 201, undefined]);
  expect(await claiming(other)).toEqual([one, other, other, 409, "name_taken"]);
  // A decomposed name is no name of a speaker.
  if (other !== other.normalize("NFC")) return;
  const { status, body } = await post(`${url}/api/meet/rooms`, { goal: "x", name: other });
  expect([one, other, status, body.code]).toEqual([one, other, 403, "name_is_claimed"]);
}

test("refuses each name of 2,000 pairs across scripts beside its twin", async () => {
  const fresh = await startSource();
  const pairs = pairsAcrossScripts(2_000).map(([one, other], i): Pair =>
    i % 2 ? [one, other] : [other, one],
  );
  expect(new Set(pairs.flat()).size).toBe(4_000);
  for (let from = 0; from < pairs.length; from += 100)
    await Promise.all(pairs.slice(from, from + 100).map((pair) => expectRefusedBeside(fresh, pair)));
  await fresh.stop();
}, 120_000);

test("refuses known attacks, whichever name is claimed first", async () => {
  for (const is_turned of [false, true]) {
    const fresh = await startSource();
    for (const pair of known_attacks) await expectRefusedBeside(fresh, is_turned ? [pair[1], pair[0]] : pair);
    await fresh.stop();
  }
});

test("accepts names of one script beside others that they do not look like", async () => {
  for (const name of [
    "Мария",
    "Марина",
    "мари",
    "Mapua",
    "Vera",
    "Вера",
    "Роза",
    "まり",
    "マリ",
    "정",
    "Müller",
    "Muller",
  ])
    expect([name, ...(await claimed(name))]).toEqual([name, 201, undefined]);
  // In ASCII spellings are compared as before.
  for (const name of ["corn", "com", "Ilia", "llia"])
    expect([name, ...(await claimed(name))]).toEqual([name, 201, undefined]);
});

test("a name in ASCII is refused to anybody beside a claimed name that looks like it, in each spelling that looks so", async () => {
  expect(await claimed("Рося")).toEqual([201, undefined]);
  expect(await claimed("Соні")).toEqual([201, undefined]);
  expect(await claimed("Росі")).toEqual([201, undefined]);
  for (const name of ["Poci", "poci", "POCI", "Pocl", "P0ci"]) {
    expect([name, ...(await speak(name))]).toEqual([name, 403, "name_is_claimed"]);
    expect([name, ...(await claimed(name))]).toEqual([name, 409, "name_taken"]);
  }
  expect(await speak("Pocia")).toEqual([201, undefined]);
});

test("the key of a name does not open a spelling of it that looks like another claimed or reserved name", async () => {
  const { bearer } = await claim(service.url, "том");
  expect(await speak("ТОМ", bearer)).toEqual([201, undefined]);
  await claim(service.url, "Tom");
  expect(await speak("том", bearer)).toEqual([201, undefined]);
  expect(await speak("ТОМ", bearer)).toEqual([403, "name_is_claimed"]);
  const system = await claim(service.url, "ѕуѕтем");
  expect(await speak("ЅУЅТЕМ", system.bearer)).toEqual([422, "name_reserved"]);
});

const byAdmin = (action: string, name: string) =>
  asOwner(service, "POST", `/api/admin/names/${encodeURIComponent(name)}/${action}`, { reason: "a test" });

test.each([
  ["reserve", "unreserve", "Ноо", "Hoo"],
  ["reserve", "unreserve", "Haa", "Наа"],
  ["suspend", "unsuspend", "Роо", "Poo"],
  ["suspend", "unsuspend", "Paa", "Раа"],
])(
  "an admin can %s a name; until %s, nobody can claim it or a name that looks like it: %s, %s",
  async (does, undoes, name, twin) => {
    expect((await byAdmin(does, name)).body).toMatchObject({ name, claimed: false });
    expect(await claimed(twin)).toEqual([422, "name_reserved"]);
    expect(await claimed(name)).toEqual(
      does === "reserve" ? [422, "name_reserved"] : [403, "name_suspended"],
    );
    expect((await byAdmin(undoes, name)).status).toBe(200);
    expect(await claimed(twin)).toEqual([201, undefined]);
  },
);

test("a name in any script can be suspended, released and claimed again, and recovered", async () => {
  const first = await claim(service.url, "Дмитрий");
  expect((await byAdmin("suspend", "ДМИТРИЙ")).body).toMatchObject({ name: "Дмитрий", claimed: true });
  expect(await speak("Дмитрий", first.bearer)).toEqual([403, "name_suspended"]);
  expect((await byAdmin("unsuspend", "дмитрий")).status).toBe(200);
  const recovery = { name: "дмитрий", recovery_code: first.recovery_code };
  const recovered = await post(`${service.url}/api/name/recover`, recovery);
  expect([recovered.status, recovered.body.name]).toEqual([200, "Дмитрий"]);
  expect((await byAdmin("release", "Дмитрий")).status).toBe(200);
  expect(await claimed("Дмитрий")).toEqual([201, undefined]);
  await claim(service.url, "Аха");
  expect(await claimed("Axa")).toEqual([409, "name_taken"]);
  expect((await byAdmin("release", "Аха")).status).toBe(200);
  expect(await claimed("Axa")).toEqual([201, undefined]);
  expect(await claimed("Аха")).toEqual([409, "name_taken"]);
});

/** Claims both names of each pair at the same moment, and expects one of them to be claimed. */
async function expectOneOfEach(pairs: readonly Pair[], urlOf: (i: 0 | 1) => string): Promise<void> {
  for (let from = 0; from < pairs.length; from += 10) {
    const claims = pairs
      .slice(from, from + 10)
      .map((pair) =>
        Promise.all(([0, 1] as const).map((i) => repeatedWhileBusy(() => claimAt(urlOf(i), pair[i])))),
      );
    for (const [i, answers] of (await Promise.all(claims)).entries()) {
      const outcomes = new Set(answers.map(({ status, body }) => (status === 201 ? status : body.code)));
      expect([pairs[from + i], outcomes]).toEqual([pairs[from + i], new Set([201, "name_taken"])]);
    }
  }
}

describe("of two claims of names that look alike at the same moment, one wins", () => {
  const pairs = pairsAcrossScripts(2_000).filter((_, i) => i % 10 === 0);

  test("at one node", async () => {
    const fresh = await startSource();
    await expectOneOfEach(pairs, () => fresh.url);
    await fresh.stop();
  });

  test.skipIf(lacks_postgres)("at two nodes of one database", async () => {
    const server = await startPostgres();
    const nodes = [
      await startSource({ database: server.url }, undefined, 1),
      await startSource({ database: server.url }, undefined, 2),
    ];
    await expectOneOfEach(pairs, (i) => nodes[i]!.url);
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });
});
