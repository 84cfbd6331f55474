/** The list of the receipts of the name that is signed in. */

import { Type } from "@sinclair/typebox";
import { myReceiptsPage } from "../../views/my_receipts.tsx";
import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { CursorParam, QueryOf } from "../core/fields.ts";
import { call_errors } from "../core/general_errors.ts";
import type { ClaimedName } from "../discovery/feature.ts";
import { ReceiptKind } from "../api/receipts/receipts.ts";
import type { Http } from "../web/context.ts";
import { pageDoc } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import type { ReceiptList } from "./listed.ts";

export interface MyReceiptsDeps {
  /** The caller's claimed name. Throws `credential_required`. */
  whoami(caller: Caller): Promise<ClaimedName>;
  list(): Promise<ReceiptList>;
}

const query = QueryOf({ of: Type.Optional(ReceiptKind), cursor: CursorParam });

export const myReceiptsPages = ({ whoami, list }: MyReceiptsDeps, { access, siteOf }: Http) =>
  access.get(
    "/me/receipts",
    async ({ caller, base, query: { of, cursor } }) => {
      const page = await (await list())(await whoami(caller), { kind: of, cursor });
      return sendPage(await myReceiptsPage(await siteOf({ caller, base }), { ...page, of }));
    },
    {
      needs: "named",
      query,
      ...pageDoc({
        summary: "The receipts of the name that is signed in",
        operation_id: "readMyReceiptsPage",
        media: ["text/html"],
        query,
        failures: [caller_errors.credential_required, call_errors.invalid_fields],
      }),
    },
  );
