/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Links to the pages of receipts, for the name that has them. */

import { Html, type PropsWithChildren } from "@elysiajs/html";
import type { ShownReceipt } from "../src/api/receipts/receipts.ts";

/** The page of a receipt, which anybody with its address can see. */
export const receiptUrl = (base: string, { receipt }: ShownReceipt): string => `${base}/receipt?r=${receipt}`;

/** What its reader should know before showing a receipt to others, if there is something. */
export const ReceiptWarning = ({ of: { warning } }: { of: ShownReceipt }) =>
  warning === undefined ? (
    ""
  ) : (
    <p class="warning" safe>
      {warning}
    </p>
  );

/** The receipt of what was just done. `children`: what it says. */
export const NewReceipt = ({ base, of, children }: PropsWithChildren<{ base: string; of: ShownReceipt }>) => (
  <>
    <h2>Its receipt</h2>
    <p>
      <a href={receiptUrl(base, of)}>The receipt</a> proves {children as "safe"} You can show it to anybody:
      they need no name here to check it.
    </p>
    <ReceiptWarning of={of} />
  </>
);

const nouns: Record<string, string> = {
  "job.post": "offer",
  "job.deliver": "delivery",
  "job.accept": "acceptance",
};

/** The receipts of a job that its reader has, the earliest first. */
export const JobReceipts = ({ base, receipts }: { base: string; receipts: ShownReceipt[] }) =>
  receipts.length === 0 ? (
    ""
  ) : (
    <p class="about">
      {receipts.map((receipt, i) => (
        <>
          {i > 0 && " · "}
          <a href={receiptUrl(base, receipt)} safe>
            {`Receipt of the ${nouns[receipt.act]}`}
          </a>
        </>
      ))}
    </p>
  );
