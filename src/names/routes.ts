/** The routes of names: /api/name and below. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { formAt, sendJson, sendTagged, taggedJson, taggedMarkdown } from "../web/responses.ts";
import { nameInAddress } from "../../views/text.ts";
import { already_given } from "../core/idempotency.ts";
import { bodyOf, readJsonWithKey } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { docs } from "./openapi.ts";
import * as receipt_source from "./receipt.ts";
import { nameMarkdown } from "./markdown.ts";
import type { Policy } from "../core/policy.ts";
import type { Caller } from "../core/caller.ts";
import type { Receipts } from "../receipts/receipts.ts";
import type { Names, WithCode, WithKey } from "./names.ts";
import { keep, lookupOf } from "./representations.ts";
import { Claim, Recover, Revoke, type Claimed, type Recovered, type Rotated } from "../api/names/names.ts";

export const NameParams = Type.Object({
  name: Type.String({ description: "The name, in any spelling of it." }),
});

const use = "Send the headers x-wf-name and x-wf-key, or Authorization: Bearer with the key alone.";

const withKey = ({ record, key }: WithKey) => ({
  name: record.name,
  created: record.created,
  key,
  ...(key === null && { key_note: already_given }),
  keep,
  use,
});
const withCode = (claimed: WithCode) => ({ ...withKey(claimed), recovery_code: claimed.recovery_code });

/** What identifies a rotation or a recovery for Idempotency-Key. */
const ownName = (caller: Caller): string | undefined => caller.identity?.canonical;
const sentBody = (_caller: Caller, body: unknown): unknown => body;

export function namesHttp(names: Names, receipts: Receipts, http: Http) {
  const { access, idempotency } = http;

  return new Elysia({ name: "names" })
    .use(access)
    .post(
      "/api/name",
      async ({ request, caller, base, body }) => {
        const claimed = await idempotency.run(request, caller, body, (call) =>
          names.claim(caller, body, call),
        );
        const location = `${base}/api/name/${nameInAddress(claimed.record.name)}`;
        const receipt = receipts.issue(receipt_source.claimed(claimed.record));
        return sendJson({ ...withCode(claimed), receipt } satisfies Claimed, 201, caller, { location });
      },
      { needs: "public", ...bodyOf(Claim, readJsonWithKey("/invite")), ...docs.claim },
    )
    .get(
      "/api/name",
      ({ request, base }) => sendTagged(request, taggedJson(aboutNames(base, names.claims))),
      {
        needs: "reader",
        ...docs.about,
      },
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
    )
    .post(
      "/api/name/rotate",
      async ({ request, caller }) => {
        const rotated = await idempotency.run(request, caller, ownName(caller), (call) =>
          names.rotate(caller, call),
        );
        return sendJson(
          { ...withKey(rotated), key_changed: rotated.record.key_changed } satisfies Rotated,
          200,
          caller,
        );
      },
      { needs: { former_key: ownName }, parse: "none", ...docs.rotate },
    )
    .post(
      "/api/name/recover",
      async ({ request, caller, body }) => {
        const recovered = await idempotency.run(request, caller, body, (call) =>
          names.recover(caller, body.name, body.recovery_code, call),
        );
        const answer = { ...withCode(recovered), key_changed: recovered.record.key_changed };
        return sendJson(answer satisfies Recovered, 200, caller);
      },
      {
        needs: { former_key: sentBody },
        ...bodyOf(Recover, readJsonWithKey("/recovery_code")),
        ...docs.recover,
      },
    )
    .post(
      "/api/name/revoke",
      async ({ request, caller, body }) => {
        const { name, key_changed } = await idempotency.run(request, caller, body, (call) =>
          names.revoke(caller, body.key, call),
        );
        const next =
          "The name waits for recovery: POST /api/name/recover with its recovery code gives a new key.";
        return sendJson({ name, revoked: true, key_changed, next }, 200, caller);
      },
      { needs: { former_key: sentBody }, ...bodyOf(Revoke, readJsonWithKey("/key")), ...docs.revoke },
    );
}

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
  rotate: `POST ${base}/api/name/rotate: a new key, the old one stops at once`,
  recover: `POST ${base}/api/name/recover with JSON {"name": "…", "recovery_code": "…"}: a new key and a new code`,
  revoke: `POST ${base}/api/name/revoke with JSON {"key": "…"}: kills a key, for whoever holds it`,
  rules:
    "1 to 64 ASCII letters, digits, spaces, dots, dashes and underscores, a letter or digit at both ends. Case, separators, " +
    "0 and o, 1 and l do not make two names different.",
});
