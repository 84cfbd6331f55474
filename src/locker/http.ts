/** The routes of lockers: /api/locker and below for their owners, /locker for everybody. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { lockerIndexPage } from "../../views/locker.tsx";
import { slotPage } from "../../views/slot.tsx";
import { limits } from "../limits.ts";
import { CountParam } from "../schema.ts";
import { chooseForm, sendJson, sendTagged, taggedHtml, taggedJson, taggedText } from "../web/answers.ts";
import { bodyText, mediaType, strictJson } from "../web/body.ts";
import { undocumented } from "../web/doc.ts";
import type { Http } from "../web/http.ts";
import { page_headers } from "../web/pages.ts";
import type { Precondition } from "./acts.ts";
import { docs } from "./docs.ts";
import type { Lockers } from "./locker.ts";
import * as shown from "./shown.ts";
import { PutSlot } from "./schema.ts";

const Page = Type.Object({
  limit: Type.Optional(
    CountParam({
      description: `How many at most (${limits.lockers_page_default}).`,
      minimum: 1,
      maximum: limits.lockers_page_max,
    }),
  ),
  cursor: Type.Optional(Type.String({ description: "The next of the page before." })),
});
// Elysia fails to copy a property of the name `*`; it copies nothing where other properties are welcome.
const open = { additionalProperties: true };
const rest = { "*": Type.String({ description: "The slot's name; slashes may stand as they are." }) };
const SlotParams = Type.Object(rest, open);
const PublicParams = Type.Object({ name: Type.String(), ...rest }, open);

const limitOf = (query: { limit?: string | undefined }) => Number(query.limit ?? limits.lockers_page_default);

/** Elysia leaves the rest of a path encoded; the gate has checked that it can be decoded. */
const slotOf = (params: { "*": string }): string => decodeURIComponent(params["*"]);

const etagsIn = (header: string | null): string[] | undefined =>
  header?.split(",").map((etag) =>
    etag
      .trim()
      .replace(/^W\//, "")
      .replace(/\.text"$/, '"'),
  );

function preconditionOf({ headers }: Request, expected_version?: number): Precondition {
  const if_match = etagsIn(headers.get("if-match"));
  return {
    ...(if_match && { if_match }),
    ...(headers.get("if-none-match")?.trim() === "*" && { must_be_new: true }),
    ...(expected_version !== undefined && { expected_version }),
  };
}

/** The body of a PUT: JSON, or the bare text with everything else in the query. */
async function slotBody({ request }: { request: Request }): Promise<unknown> {
  if (mediaType(request) !== "text/plain") return strictJson({ request });
  const query = new URL(request.url).searchParams;
  const count = (name: string) => (query.has(name) ? Number(query.get(name) || NaN) : undefined);
  return {
    value: await bodyText(request),
    public: query.get("public") === "true",
    expected_version: count("expected_version"),
    expires_in: count("expires_in"),
  };
}

export function lockerHttp(lockers: Lockers, http: Http) {
  const { doorway } = http;

  async function publicAnswer(request: Request, name: string, slot: string): Promise<Response> {
    await http.caller(request);
    const row = await lockers.getPublic(name, slot);
    const form = chooseForm(request, ["json", "text", "html"]);
    if (form === "text") return sendTagged(request, taggedText(row.value), shown.sandboxed);
    const answer = shown.publicSlot(row);
    if (form === "json") return sendTagged(request, taggedJson(answer));
    return sendTagged(request, taggedHtml(await slotPage(doorway.base(request), answer)), page_headers);
  }

  return new Elysia({ name: "locker" })
    .get(
      "/api/locker",
      async ({ request, query }) => {
        const caller = await http.caller(request);
        if (!caller.identity)
          return sendTagged(request, taggedJson(shown.aboutLockers(doorway.base(request))));
        return sendJson(shown.locker(await lockers.list(caller, limitOf(query), query.cursor)), 200, caller);
      },
      { query: Page, ...docs.list },
    )
    .get(
      "/api/locker/index",
      async ({ request, query }) => {
        await http.caller(request);
        const index = await lockers.index(limitOf(query), query.cursor);
        return sendTagged(request, taggedJson(shown.index(doorway.base(request), index)));
      },
      { query: Page, ...docs.index },
    )
    .get(
      "/api/locker/*",
      async ({ request, params }) => {
        const caller = await http.caller(request);
        const row = await lockers.get(caller, slotOf(params));
        return chooseForm(request, ["json", "text"]) === "json"
          ? sendTagged(request, { ...taggedJson(shown.slot(row)), etag: row.etag }, shown.private_headers)
          : sendTagged(
              request,
              { ...taggedText(row.value), etag: row.etag.replace(/"$/, '.text"') },
              {
                ...shown.private_headers,
                ...shown.sandboxed,
              },
            );
      },
      { params: SlotParams, ...docs.get },
    )
    .put(
      "/api/locker/*",
      async ({ request, params, body }) => {
        const caller = await http.caller(request);
        const { expected_version, ...rest } = body;
        const precondition = preconditionOf(request, expected_version);
        const put = await lockers.put(caller, { ...rest, slot: slotOf(params), precondition });
        const answer = shown.written(doorway.base(request), caller.identity!.name, put);
        return sendJson(answer, put.created ? 201 : 200, caller, { etag: put.slot.etag });
      },
      { params: SlotParams, body: PutSlot, parse: slotBody, ...docs.put },
    )
    .delete(
      "/api/locker/*",
      async ({ request, params }) => {
        const caller = await http.caller(request);
        const { slot } = await lockers.remove(caller, slotOf(params), preconditionOf(request));
        return sendJson({ slot, deleted: true }, 200, caller);
      },
      { params: SlotParams, parse: "none", ...docs.remove },
    )
    .get(
      "/locker",
      async ({ request, query }) => {
        await http.caller(request);
        const base = doorway.base(request);
        const index = shown.index(base, await lockers.index(limitOf(query), query.cursor));
        return sendTagged(request, taggedHtml(await lockerIndexPage(base, index)), page_headers);
      },
      { query: Page, ...undocumented },
    )
    .get("/locker/:name/*", ({ request, params }) => publicAnswer(request, params.name, slotOf(params)), {
      params: PublicParams,
      ...docs.getPublic,
    });
}
