/** The routes of receipts: the keys, and verification. Receipts are issued by the routes of other features. */

import { Type, type Static } from "@sinclair/typebox";
import { receiptPage } from "../../views/receipt.tsx";
import { receiptIn } from "../../views/receipt_text.ts";
import { call_errors } from "../core/general_errors.ts";
import { invalidFields } from "../core/errors.ts";
import { QueryOf } from "../core/fields.ts";
import { holdsSecret } from "../core/secrets.ts";
import {
  formAt,
  sendJson,
  sendTagged,
  tagged,
  taggedHtml,
  taggedJson,
  taggedMarkdown,
} from "../web/responses.ts";
import { bodyOf, readForm } from "../web/body.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageHeaders, queryOf, sendPage } from "../web/page_headers.ts";
import { docs } from "./openapi.ts";
import { receiptMarkdown } from "./markdown.ts";
import type { Receipts } from "./receipts.ts";
import { type CheckLines, ReceiptField, VerifyReceipt } from "../api/receipts/receipts.ts";

/** `r` is short, for links. */
const Params = QueryOf({ receipt: Type.Optional(ReceiptField), r: Type.Optional(ReceiptField) });
type Params = Static<typeof Params>;

export function receiptsHttp(receipts: Receipts, { access, origins, siteOf }: Http) {
  /** The page that verifies receipts; with `r`, its verdict. */
  async function page({ request, route, caller, base, query }: RequestContext & { query: Params }) {
    const { form } = formAt(request, route, ["html", "markdown"]);
    const sent = query.receipt ?? query.r;
    const shown = sent ? { receipt: sent, verdict: receipts.verify(sent) } : null;
    if (form === "markdown") {
      return sendTagged(
        request,
        taggedMarkdown(receiptMarkdown(base, howToCheck(base), shown?.verdict ?? null)),
      );
    }
    const headers = pageHeaders(base, `${base}/receipt.md${queryOf(request)}`);
    const html = await receiptPage(await siteOf({ caller, base }), checkLines(base), shown);
    return sendTagged(request, taggedHtml(html, headers));
  }

  /** Checks the receipt of the form, for browsers without scripts. It is in no address, and no key comes back. */
  async function postedPage({ request, caller, base }: Pick<RequestContext, "request" | "caller" | "base">) {
    const receipt = receiptIn((await readForm(request, origins)).receipt ?? "");
    const shown = { receipt: holdsSecret(receipt) ? "" : receipt, verdict: receipts.verify(receipt) };
    const html = await receiptPage(await siteOf({ caller, base }), checkLines(base), shown);
    return sendPage(html, 200, pageHeaders(base, `${base}/receipt.md`));
  }

  return access
    .get("/.well-known/jwks.json", ({ request }) => sendTagged(request, taggedJson(receipts.keySet())), {
      needs: "public",
      ...docs.keySet,
    })
    .get(
      "/receipt/key",
      ({ request, base }) => {
        const answer = {
          key: receipts.key(),
          pem: receipts.pem(),
          all_keys: `${base}/.well-known/jwks.json`,
          how: howToCheck(base),
        };
        return sendTagged(request, taggedJson(answer));
      },
      { needs: "public", ...docs.key },
    )
    .get(
      "/receipt/key.pem",
      ({ request }) => sendTagged(request, tagged(receipts.pem(), "application/x-pem-file")),
      { needs: "public", ...docs.pem },
    )
    .get(
      "/receipt/verify",
      ({ caller, query: { r, receipt = r } }) => {
        if (receipt === undefined) throw invalidFields([{ path: "receipt", message: "is required" }]);
        return sendJson(receipts.verify(receipt), 200, caller);
      },
      { needs: "public", query: Params, ...docs.verify },
    )
    .post("/receipt/verify", ({ caller, body }) => sendJson(receipts.verify(body.receipt), 200, caller), {
      needs: "public",
      ...bodyOf(VerifyReceipt),
      ...docs.verifyPosted,
    })
    .get("/receipt", page, {
      needs: "public",
      query: Params,
      ...pageDoc({
        summary: "Checks a receipt",
        operation_id: "readReceiptPage",
        query: QueryOf({ receipt: Type.Optional(ReceiptField) }),
        failures: [call_errors.invalid_fields],
      }),
    })
    .post("/receipt", postedPage, { needs: "public", parse: "none", ...undocumented })
    .get("/receipt.md", page, { needs: "public", query: Params, ...undocumented });
}

/** Shell commands that verify the receipt in $receipt with openssl. */
const checkLines = (base: string): CheckLines => ({
  lines: [
    `curl -s ${base}/receipt/key.pem > key.pem`,
    `printf '%s' "\${receipt%.*}" > signed`,
    `printf '%s==' "\${receipt##*.}" | tr '_-' '/+' | base64 -d > signature`,
    "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature",
  ],
  retired: [
    `printf -- '-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA%s=\\n-----END PUBLIC KEY-----\\n' "$(printf '%s' "$x" | tr '_-' '/+')" > key.pem`,
  ],
});

/** The same in a list, with a line for retired keys. */
function howToCheck(base: string): string[] {
  const { lines, retired } = checkLines(base);
  const keys = `${base}/.well-known/jwks.json (the one whose kid the header names)`;
  return [...lines, `A key that was retired is listed, too: ${keys}. With its x in $x:`, ...retired];
}
