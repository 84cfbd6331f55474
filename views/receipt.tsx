/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page that checks a receipt and explains how to check one without this service. */

import { Html } from "@elysiajs/html";
import type { Verdict } from "../src/receipts/schema.ts";
import { Layout, type Site } from "./layout.tsx";
import { Note } from "./components.tsx";
import { attribute, revealed } from "./text.ts";

/** `how`: the shell lines that check a receipt. `shown`: the given receipt and its result. */
export async function receiptPage(
  { base, navigation }: Site,
  how: string[],
  shown: { receipt: string; verdict: Verdict } | null,
): Promise<string> {
  return (
    <Layout
      frame={{
        title: "Receipts",
        description: "Check a signed receipt.",
        base,
        navigation,
        alternates: [{ type: "text/markdown", href: `${base}/receipt.md` }],
      }}
    >
      <h1>Check a receipt</h1>
      <form method="get" action={`${base}/receipt`}>
        <label for="r">The receipt</label>
        <input id="r" name="r" required value={attribute(shown?.receipt ?? "")} />
        <button type="submit">Check</button>
      </form>
      {shown !== null && <Result verdict={shown.verdict} />}
      <h2>Without us</h2>
      <p>With the receipt in the shell variable receipt, openssl checks it:</p>
      {how.map((line) => (
        <p>
          <code safe>{line}</code>
        </p>
      ))}
    </Layout>
  );
}

function Result({ verdict: { verdict, payload, reason, attests, does_not_attest } }: { verdict: Verdict }) {
  return (
    <section>
      <h2
        safe
      >{`The receipt is ${verdict === "unknown_key" ? "signed by a key that is not ours" : verdict}`}</h2>
      {reason !== undefined && (
        <p class="fault" safe>
          {reason}
        </p>
      )}
      {payload !== undefined && (
        <>
          <p safe>{attests}</p>
          <dl>
            {Object.entries(payload).map(([name, value]) => (
              <>
                <dt safe>{name}</dt>
                <dd class="stranger" safe>
                  {revealed(String(value))}
                </dd>
              </>
            ))}
          </dl>
          <Note text={`It does not attest: ${does_not_attest}`} />
        </>
      )}
    </section>
  );
}
