/** The routes of lockers: /api/locker for owners, /locker for everybody. */

import { Type } from "@sinclair/typebox";
import { lockerIndexPage } from "../../views/locker.tsx";
import { slotPage } from "../../views/slot.tsx";
import {
  chooseForm,
  formAt,
  markdownTwin,
  sendJson,
  sendTagged,
  taggedHtml,
  taggedJson,
  taggedMarkdown,
  taggedText,
} from "../web/responses.ts";
import type { Caller } from "../core/caller.ts";
import { bodyOf, bodyText, mediaType, readJsonWithKey } from "../web/body.ts";
import { etag_of_encoding } from "../web/compression.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { call_errors } from "../core/general_errors.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageHeaders, queryOf } from "../web/page_headers.ts";
import type { Precondition } from "./commands.ts";
import { docs } from "./openapi.ts";
import type { Lockers } from "./locker.ts";
import { indexMarkdown, ownSlotMarkdown, slotMarkdown } from "./markdown.ts";
import * as shown from "./representations.ts";
import { PageParams, PutSlot, TextParams } from "../api/locker/locker.ts";
import { locker_limits } from "../api/limits.ts";
import { locker_internal_limits } from "./limits.ts";
const SlotParams = Type.Object({
  "*": Type.String({ description: "The slot's name; slashes may stand as they are." }),
});
const PublicParams = Type.Object({
  name: Type.String({ description: "Whose slot it is, in any spelling of the name." }),
  ...SlotParams.properties,
});

const limitOf = (query: { limit?: string | undefined }) =>
  Number(query.limit ?? locker_limits.lockers_page_default);

/** Elysia does not decode a wildcard, and keeps a slash at its end. The ingress has checked the encoding. */
export const slotOf = (params: { "*": string }): string => decodeURIComponent(params["*"].replace(/\/$/, ""));

/** The ETags of If-Match, of any form and encoding of the slot. A weak one never matches (RFC 9110, section 13.1.1). */
const etagsIn = (header: string | null): string[] | undefined =>
  header?.split(",").map((etag) =>
    etag
      .trim()
      .replace(etag_of_encoding, '"')
      .replace(/\.(?:text|md)"$/, '"'),
  );

function preconditionOf({ headers }: Request, expected_version?: number): Precondition {
  const if_match = etagsIn(headers.get("if-match"));
  return {
    ...(if_match && { if_match }),
    ...(headers.get("if-none-match")?.trim() === "*" && { must_be_new: true }),
    ...(expected_version !== undefined && { expected_version }),
  };
}

/** A private slot may contain a key. The operation checks whether the slot is private. */
const readSlot = readJsonWithKey("/value");

/** The body of a PUT: JSON, or text with the other fields in the query. */
async function slotBody(request: Request): Promise<unknown> {
  if (mediaType(request) !== "text/plain") return readSlot(request);
  const query = new URL(request.url).searchParams;
  return {
    value: await bodyText(request),
    public: typed(query.get("public"), /^(?:true|false)$/),
    expected_version: typed(query.get("expected_version"), /^\d{1,15}$/),
    expires_in: typed(query.get("expires_in"), /^\d{1,15}$/),
  };
}

/** Parses a value of the query as JSON if it has `form`. Otherwise it stays text, which the schema refuses. */
const typed = (text: string | null, form: RegExp): unknown =>
  text === null ? undefined : form.test(text) ? JSON.parse(text) : text;

/** For a value that a caller wrote: a browser shows it and runs nothing. */
const sandboxed = { "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'" };

/** For answers that only the owner may read: caches must not store them. */
const private_headers = {
  "cache-control": "private, no-cache",
  vary: "Accept, Authorization, X-Wf-Name, X-Wf-Key",
};

/** The names of slots whose page shows Markdown. */
const markdown_name = /\.(?:md|markdown)$/i;

type Reader = Pick<RequestContext, "request" | "caller" | "base">;

export function lockerHttp(lockers: Lockers, { access, siteOf, memory, texts }: Http) {
  /** The slot at a path. A path that ends in `.md` is the markdown twin of a slot, unless a slot has that name. */
  async function slotAt<Row>(slot: string, find: (slot: string) => Promise<Row>) {
    const twin = markdownTwin(slot);
    const row = await find(slot).catch((error: unknown) => {
      if (twin.is_markdown) return null;
      throw error;
    });
    return row ? { row, is_markdown: false } : { row: await find(twin.name), is_markdown: true };
  }

  async function ownAnswer(request: Request, caller: Caller, slot: string): Promise<Response> {
    const { row, is_markdown } = await slotAt(slot, (slot) => lockers.get(caller, slot));
    const form = is_markdown ? "markdown" : chooseForm(request, ["json", "text", "markdown"]);
    // Each form has other bytes, so each needs its own validator.
    const etagOf = (ending: string) => ({
      ...private_headers,
      etag: row.etag.replace(/"$/, `${ending}"`),
    });
    if (form === "json") return sendTagged(request, taggedJson(shown.slot(row), etagOf("")));
    return sendTagged(
      request,
      form === "text"
        ? taggedText(row.value, { ...etagOf(".text"), ...sandboxed })
        : taggedMarkdown(ownSlotMarkdown(shown.slot(row)), etagOf(".md")),
    );
  }

  /** The handler of the index, as markdown or in `form`. */
  const indexIn =
    (form: "json" | "html") =>
    async ({
      request,
      route,
      caller,
      base,
      query,
    }: RequestContext & { query: PageParams }): Promise<Response> => {
      const chosen = formAt(request, route, [form, "markdown"]).form;
      await memory.reserve(request, locker_internal_limits.lockers_page_bytes_max);
      const index = shown.index(base, await lockers.index(limitOf(query), query.cursor));
      if (chosen === "json") return sendTagged(request, taggedJson(index));
      if (chosen === "markdown") return sendTagged(request, taggedMarkdown(indexMarkdown(base, index)));
      const headers = pageHeaders(base, `${base}/locker.md${queryOf(request)}`);
      return sendTagged(
        request,
        taggedHtml(await lockerIndexPage(await siteOf({ caller, base }), index), headers),
      );
    };

  async function publicAnswer(
    { request, caller, base }: Reader,
    name: string,
    slot: string,
  ): Promise<Response> {
    const { row, is_markdown } = await slotAt(slot, (slot) => lockers.getPublic(name, slot));
    const form = is_markdown ? "markdown" : chooseForm(request, ["json", "text", "html", "markdown"]);
    if (form === "text") return sendTagged(request, taggedText(row.value, sandboxed));
    const answer = shown.publicSlot(row);
    if (form === "json") return sendTagged(request, taggedJson(answer));
    if (form === "markdown") return sendTagged(request, taggedMarkdown(slotMarkdown(answer)));
    const twin = `${shown.publicUrl(base, row.name, row.slot)}.md`;
    const html = markdown_name.test(row.slot) ? (await texts([row.value])).get(row.value)! : null;
    return sendTagged(
      request,
      taggedHtml(await slotPage(await siteOf({ caller, base }), answer, html, twin), pageHeaders(base, twin)),
    );
  }

  return access
    .get(
      "/api/locker",
      async ({ request, caller, base, query }) => {
        if (!caller.identity) return sendTagged(request, taggedJson(shown.aboutLockers(base)));
        return sendJson(shown.locker(await lockers.list(caller, limitOf(query), query.cursor)), 200, caller);
      },
      { needs: "reader", query: PageParams, ...docs.list },
    )
    .get("/api/locker/index", indexIn("json"), { needs: "reader", query: PageParams, ...docs.index })
    .get("/api/locker/index.md", indexIn("json"), { needs: "reader", query: PageParams, ...undocumented })
    .get("/api/locker/*", ({ request, caller, params }) => ownAnswer(request, caller, slotOf(params)), {
      needs: "named",
      params: SlotParams,
      ...docs.get,
    })
    .put(
      "/api/locker/*",
      async ({ request, caller, base, params, body }) => {
        const { expected_version, ...rest } = body;
        const precondition = preconditionOf(request, expected_version);
        const put = await lockers.put(caller, { ...rest, slot: slotOf(params), precondition });
        const answer = shown.written(base, caller.identity!.name, put);
        return sendJson(answer, put.created ? 201 : 200, caller, { etag: put.slot.etag });
      },
      { needs: "named", params: SlotParams, query: TextParams, ...bodyOf(PutSlot, slotBody), ...docs.put },
    )
    .delete(
      "/api/locker/*",
      async ({ request, caller, params }) => {
        const { slot } = await lockers.remove(caller, slotOf(params), preconditionOf(request));
        return sendJson({ slot, deleted: true }, 200, caller);
      },
      { needs: "named", params: SlotParams, parse: "none", ...docs.remove },
    )
    .get("/locker", indexIn("html"), {
      needs: "reader",
      query: PageParams,
      ...pageDoc({
        summary: "Every locker and the names of its slots",
        operation_id: "readLockersPage",
        failures: [call_errors.invalid_fields],
      }),
    })
    .get("/locker.md", indexIn("html"), { needs: "reader", query: PageParams, ...undocumented })
    .get(
      "/locker/:name/*",
      ({ request, caller, base, params }) =>
        publicAnswer({ request, caller, base }, params.name, slotOf(params)),
      {
        needs: "reader",
        params: PublicParams,
        ...docs.getPublic,
      },
    );
}
