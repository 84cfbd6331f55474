/** How callers reach receipts: routes, tools and documents. */

import type { Feature } from "../discovery/feature.ts";
import { receipt_documents } from "./discovery.ts";
import { receiptTools } from "./mcp/tools.ts";
import { myReceiptsPages, type MyReceiptsDeps } from "./my_pages.ts";
import type { Receipts } from "./receipts.ts";
import { receiptsHttp } from "./routes.ts";

export const receiptTransports = (receipts: Receipts, of_name: MyReceiptsDeps) =>
  ({
    ...receipt_documents,
    routes: (http) => {
      receiptsHttp(receipts, http);
      myReceiptsPages(of_name, http);
    },
    tools: receiptTools(receipts),
  }) satisfies Feature;
