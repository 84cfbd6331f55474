/** The list of receipts over any writes: page by page it has each receipt once, the newest first, with a bounded number of reads. */

import { describe, expect, test } from "bun:test";
import { isFailure } from "../../src/core/errors.ts";
import { call_errors } from "../../src/core/general_errors.ts";
import { encodeCursor } from "../../src/core/pagination.ts";
import { receipt_internal_limits as limits } from "../../src/receipts/limits.ts";
import {
  createReceiptList,
  type WritePosition,
  type ReceiptRow,
  type ReceiptStream,
} from "../../src/receipts/listed.ts";
import type { Receipts, ReceiptSource } from "../../src/receipts/receipts.ts";
import { testRandom } from "../support/seed.ts";

const ada = { name: "Ada", canonical: "ada", created: "2026-03-01T12:00:00.000Z" };
const receipts = {
  shown: ({ act, ref }: ReceiptSource) => ({ act, receipt: ref }),
} as unknown as Receipts;

const timeOf = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();

/** A write at a minute, without a receipt if `is_erased`. */
function write(minute: number, seq: number, ref: string, is_erased: boolean): ReceiptRow {
  const at = timeOf(minute);
  const source: ReceiptSource = {
    ...{ act: "meet.open", ref, where: "/x", at, name: ada.name, name_claimed: true, text: "" },
  };
  return { position: [at, seq], receipt: is_erased ? null : { source, title: ref, path: "/x" } };
}

const isBefore = ([at, seq]: WritePosition, [before, before_seq]: WritePosition): boolean =>
  at < before || (at === before && seq < before_seq);

/** A stream with these writes, the latest first, and how often it was read. */
function streamOf(kind: ReceiptStream["kind"], rows: ReceiptRow[]): ReceiptStream & { reads: number } {
  const stream = {
    kind,
    reads: 0,
    async read(_name: typeof ada, before: WritePosition, count: number) {
      stream.reads++;
      return rows.filter(({ position }) => isBefore(position, before)).slice(0, count);
    },
  };
  return stream;
}

async function allPages(list: ReturnType<typeof createReceiptList>, limit: number) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await list(ada, { limit, cursor });
    pages.push(page.receipts.map(({ receipt }) => receipt));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

test("has each receipt once, the newest first, also if writes have equal times and texts were erased", async () => {
  const random = testRandom("receipts");
  for (let round = 0; round < 200; round++) {
    const streams = Array.from({ length: 4 }, (_, index) => {
      const rows = Array.from({ length: random.below(40) }, (_, seq) =>
        write(random.below(12), seq + 1, `${index}-${seq + 1}`, random.below(4) === 0),
      );
      return streamOf(
        "posts",
        rows.toSorted((a, b) => (isBefore(a.position, b.position) ? 1 : -1)),
      );
    });
    const all = await Promise.all(
      streams.map(({ read }) => read(ada, ["9999-12-31T23:59:59.999Z", 1e9], 1000)),
    );
    const expected = all
      .flatMap((rows, index) => rows.map((row) => ({ ...row, index })))
      .toSorted((a, b) => {
        if (a.position[0] !== b.position[0]) return a.position[0] < b.position[0] ? 1 : -1;
        return a.index - b.index || b.position[1] - a.position[1];
      })
      .flatMap(({ receipt }) => (receipt ? [receipt.source.ref] : []));
    const limit = 1 + random.below(9);
    const pages = await allPages(createReceiptList(receipts, streams), limit);
    expect(pages.flat()).toEqual(expected);
    expect(pages.filter((page) => page.length > limit)).toEqual([]);
  }
});

test("ends a page early, with a cursor, if thousands of writes have no receipt any more", async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => write(-i, 3000 - i, `${i}`, i < 2999));
  const stream = streamOf("posts", rows);
  const list = createReceiptList(receipts, [stream]);
  const first = await list(ada, { limit: 25 });
  expect(first.receipts).toEqual([]);
  expect(first.next).toBeString();
  expect(stream.reads).toBe(limits.reads_per_page_max);
  expect((await allPages(list, 25)).flat()).toEqual(["2999"]);
});

describe("a cursor", () => {
  const list = createReceiptList(receipts, [streamOf("rooms", []), streamOf("jobs", [])]);
  test.each([
    "",
    "x",
    encodeCursor(["2026", 0, 1]),
    encodeCursor([timeOf(0), -1, 1]),
    encodeCursor([1, 2, 3]),
  ])("that is none is refused: %s", async (cursor) => {
    const refused = await list(ada, { limit: 1, cursor }).catch((error: unknown) => error);
    expect(isFailure(refused, call_errors.invalid_fields)).toBe(true);
  });
});

test("lists one kind alone", async () => {
  const streams = [
    streamOf("rooms", [write(1, 1, "room", false)]),
    streamOf("jobs", [write(2, 1, "job", false)]),
  ];
  const list = createReceiptList(receipts, streams);
  const found = async (kind?: "rooms" | "jobs" | "names") =>
    (await list(ada, { limit: 9, kind })).receipts.map(({ receipt }) => receipt);
  expect(await found()).toEqual(["job", "room"]);
  expect(await found("rooms")).toEqual(["room"]);
  expect(await found("names")).toEqual([]);
});
