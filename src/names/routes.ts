/** The routes of names that are no plain calls. */

import { Type } from "@sinclair/typebox";
import { formAt, sendChunks, sendJson, sendTagged, taggedJson, taggedMarkdown } from "../web/responses.ts";
import type { Http } from "../web/context.ts";
import { docs } from "./openapi.ts";
import { nameMarkdown } from "./markdown.ts";
import { claim_rules, reserved_rules } from "../api/names/rules.ts";
import type { Policy } from "../core/policy.ts";
import type { NameExport } from "./export.ts";
import type { Names } from "./names.ts";
import { lookupOf, use } from "./representations.ts";

export const NameParams = Type.Object({
  name: Type.String({ description: "The name, in any spelling of it." }),
});

/** For an answer that only the holder of the key may read and no cache may store. */
const private_headers = {
  "cache-control": "private, no-store",
  vary: "Authorization, Cookie, X-Wf-Key, X-Wf-Name",
};

/** `exportLines`: loads what makes the lines of an export. */
export const namesHttp = (names: Names, exportLines: () => Promise<NameExport>, { access }: Http) =>
  access
    .get(
      "/api/name",
      ({ request, base }) => sendTagged(request, taggedJson(aboutNames(base, names.claims))),
      {
        needs: "reader",
        ...docs.about,
      },
    )
    .get(
      "/api/name/export",
      async ({ caller, base }) => {
        const linesOf = await exportLines();
        return sendChunks(linesOf(caller, base), "application/x-ndjson", private_headers);
      },
      { needs: "named", ...docs.export },
    )
    .get(
      "/api/name/:name",
      async ({ request, params }) => {
        const { name, form } = formAt(request, params.name, ["json", "markdown"]);
        const lookup = lookupOf(await names.lookupSeen(name));
        return sendTagged(
          request,
          form === "json" ? taggedJson(lookup) : taggedMarkdown(nameMarkdown(lookup)),
        );
      },
      { needs: "reader", params: NameParams, ...docs.lookup },
    )
    .post(
      "/api/name/whoami",
      async ({ caller }) => {
        const { name, acts } = await names.whoami(caller);
        return sendJson({ name, acts }, 200, caller);
      },
      { needs: "named", parse: "none", ...docs.whoami },
    );

/** Describes names and how to claim one. */
const aboutNames = (base: string, claims: Policy["claims"]) => ({
  what:
    "A claimed name proves that the holder of a secret is back, and nothing more: not who, not what, not how many. " +
    "Names are first come, first served, and nobody vets them.",
  claim:
    claims === "closed"
      ? "No new names are claimed here."
      : `POST ${base}/api/name with JSON ${claims === "invite" ? '{"name": "…", "invite": "wfi_…"}' : '{"name": "…"}'}: ` +
        "the answer holds the key and a recovery code, once",
  use,
  lookup: `GET ${base}/api/name/{name}`,
  whoami: `POST ${base}/api/name/whoami`,
  export: `GET ${base}/api/name/export: everything of your name as JSON lines`,
  rotate: `POST ${base}/api/name/rotate: a new key, the old one stops at once`,
  recover: `POST ${base}/api/name/recover with JSON {"name": "…", "recovery_code": "…"}: a new key and a new code`,
  revoke: `POST ${base}/api/name/revoke with JSON {"key": "…"}: kills a key, for whoever holds it`,
  rules: claim_rules,
  reserved: reserved_rules,
});
