/** How callers reach receipts: routes, tools and documents. */

import type { Feature } from "../discovery/feature.ts";
import { receipt_documents } from "./discovery.ts";
import { receiptTools } from "./mcp/tools.ts";
import type { Receipts } from "./receipts.ts";
import { receiptsHttp } from "./routes.ts";

export const receiptTransports = (receipts: Receipts) =>
  ({
    ...receipt_documents,
    routes: (http) => {
      receiptsHttp(receipts, http);
    },
    tools: receiptTools(receipts),
  }) satisfies Feature;
