/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The receipts of the name that is signed in. */

import { Html } from "@elysiajs/html";
import type { ListedReceipt, ReceiptKind } from "../src/api/receipts/receipts.ts";
import { Empty, Name, NextPage, Time } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { Filters } from "./list_controls.tsx";
import { receiptUrl, ReceiptWarning } from "./receipt_links.tsx";
import { attribute, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

interface MyReceipts {
  /** The newest first. */
  receipts: ListedReceipt[];
  next: string | null;
  /** Those that are listed; if absent, all. */
  of: ReceiptKind | undefined;
}

const kinds: [of: ReceiptKind | undefined, text: string][] = [
  [undefined, "All"],
  ["jobs", "Jobs"],
  ["rooms", "Rooms"],
  ["posts", "Posts"],
  ["names", "Name"],
];

function addressOf(base: string, of: ReceiptKind | undefined, cursor?: string): string {
  const query = new URLSearchParams({ ...(of && { of }), ...(cursor && { cursor }) });
  return attribute(`${base}/me/receipts${query.size > 0 ? "?" : ""}${query.toString()}`);
}

export async function myReceiptsPage(site: Site, { receipts, next, of }: MyReceipts): Promise<string> {
  const { base } = site;
  return (
    <Layout {...site} section="/receipt" title="Your receipts" description="Your receipts." noindex>
      <h1>Your receipts</h1>
      <p class="lead">
        A receipt proves to others what you did here, when, and under which name. Its page has an address that
        you can give to anybody.
      </p>
      <p class="about ways">
        <a href={`${base}/receipt`}>Check a receipt</a> · <a href={`${base}/me`}>Your page</a>
      </p>
      <Filters
        filters={kinds.map(([kind, text]) => ({
          text,
          href: addressOf(base, kind),
          is_current: kind === of,
        }))}
      />
      {receipts.length === 0 && next === null && <Empty>{emptyOf(of)}</Empty>}
      <ul class="list">
        {receipts.map((receipt) => (
          <li>
            <Item base={base} receipt={receipt} />
          </li>
        ))}
      </ul>
      <NextPage href={next && addressOf(base, of, next)} text="Earlier receipts" />
    </Layout>
  );
}

const emptyOf = (of: ReceiptKind | undefined) =>
  of === undefined
    ? "You have no receipt. Posts, rooms and jobs under your name give receipts."
    : "You have no receipt of this kind.";

/** What was done, and what the link to its object says. */
function wordsOf({ act, by_me, path }: ListedReceipt): [did: string, object: string] {
  switch (act) {
    case "meet.open":
      return ["You opened a room", "The room"];
    case "meet.speak":
      return [`You posted #${path.split("/").at(-1)} in a room`, "The post"];
    case "name.claim":
      return ["You claimed this name", "The page of the name"];
    case "job.post":
      return ["You offered a job", "The job"];
    case "job.deliver":
      return ["You delivered a job", "The job"];
    default:
      return [by_me ? "Your delivery was accepted" : "You accepted a delivery", "The job"];
  }
}

function Item({ base, receipt }: { base: string; receipt: ListedReceipt }) {
  const { title, path, other, by_me } = receipt;
  const [did, object] = wordsOf(receipt);
  return (
    <>
      <a href={receiptUrl(base, receipt)} dir="ltr">
        {did as "safe"}: <bdi safe>{revealed(title)}</bdi>
      </a>
      <p class="about">
        <Time at={receipt.at} /> ·{" "}
        <a href={attribute(base + path)} safe>
          {object}
        </a>
        {other !== undefined && (
          <>
            {" "}
            · {by_me ? "offered by" : "delivered by"} <Name base={base} of={{ name: other, claimed: true }} />
          </>
        )}
      </p>
      <ReceiptWarning of={receipt} />
    </>
  );
}
