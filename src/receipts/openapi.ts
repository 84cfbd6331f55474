/** OpenAPI annotations of the routes of receipts. */

import { web_errors } from "../web/errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { QueryOf } from "../core/fields.ts";
import { doc } from "../web/openapi/describe.ts";
import { KeySet, ReceiptField, ReceiptKey, Verdict } from "../api/receipts/receipts.ts";

const verdict = { 200: { description: "What the receipt is worth.", schema: Verdict } };

export const docs = {
  keySet: doc({
    summary: "Every key that ever signed a receipt",
    tag: "receipts",
    operation_id: "listReceiptKeys",
    answers: { 200: { description: "A JWK set (RFC 7517).", schema: KeySet } },
  }),
  key: doc({
    summary: "The key that signs receipts, and how to check one without us",
    tag: "receipts",
    operation_id: "readReceiptKey",
    answers: { 200: { description: "The key.", schema: ReceiptKey } },
  }),
  pem: doc({
    summary: "The key that signs receipts, as PEM",
    tag: "receipts",
    operation_id: "readReceiptKeyPem",
    answers: { 200: { description: "The key.", media: ["application/x-pem-file"] } },
  }),
  verify: doc({
    summary: "Check a receipt",
    tag: "receipts",
    operation_id: "verifyReceipt",
    query: QueryOf({ receipt: ReceiptField }),
    answers: verdict,
    failures: [call_errors.invalid_fields],
  }),
  verifyPosted: doc({
    summary: "Check a receipt that is sent as JSON",
    tag: "receipts",
    operation_id: "verifyPostedReceipt",
    answers: verdict,
    failures: [
      call_errors.invalid_fields,
      web_errors.malformed_json,
      web_errors.unsupported_media_type,
      web_errors.body_too_large,
    ],
  }),
};
