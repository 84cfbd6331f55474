/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page that checks a receipt: in the browser by a script, otherwise by the service. */

import { Html } from "@elysiajs/html";
import type { CheckLines, Verdict } from "../src/api/receipts/receipts.ts";
import { CopyBox, Field, inputOf, Note, Submit } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { describeVerdict, type Part } from "./receipt_text.ts";
import { attribute, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";

const about_receipt = "Paste it, or a whole answer that contains one.";
const about_text =
  "Paste the text itself. While you type, this page compares its SHA-256 with the one in the receipt; it sends the text nowhere.";
/** The longest command in three lines, none of which is wrapped on a phone. */
const inLines = (command: string): string => command.replace(/ (?=-inkey |-in )/g, " \\\n  ");

/** `shown`: the receipt that was sent, and its result. */
export async function receiptPage(
  site: Site,
  how: CheckLines,
  shown: { receipt: string; verdict: Verdict } | null,
): Promise<string> {
  const { base } = site;
  const result = (
    <div id="result" role="status" data-base={base}>
      {shown !== null && <Result base={base} verdict={shown.verdict} />}
    </div>
  );
  return (
    <Layout
      {...site}
      section="/receipt"
      title="Receipts"
      description="Check a signed receipt."
      scripts={["receipt.js"]}
      alternates={[{ type: "text/markdown", href: `${base}/receipt.md` }]}
    >
      <h1>Check a receipt</h1>
      <p class="lead">A receipt says what this service stored, when, and under which name.</p>
      {/* First, for those who follow a link to a receipt. */}
      {shown !== null && result}
      <form method="post" action={`${base}/receipt`} id="receipt-form">
        <Field name="receipt" label="The receipt" about={about_receipt}>
          <textarea
            {...inputOf({ name: "receipt", about: about_receipt })}
            class="code"
            rows="4"
            required
            spellcheck="false"
            safe
          >
            {shown?.receipt ?? ""}
          </textarea>
        </Field>
        <p class="row">
          <Submit text="Check" />
          <input type="file" id="receipt-file" class="unseen" tabindex="-1" aria-hidden="true" />
          <button type="button" id="choose-file" hidden>
            Choose a file
          </button>
        </p>
        <p class="about" id="who-checks">
          Without scripts, the receipt is sent to this service, which checks it.
        </p>
      </form>
      {shown === null && result}
      <section id="compare" hidden>
        <Field name="text" label="Is it this text?" about={about_text}>
          <textarea {...inputOf({ name: "text", about: about_text })} rows="4" dir="auto"></textarea>
        </Field>
        <p id="compared" role="status"></p>
      </section>
      <h2>Check it without this page</h2>
      <p>
        With the receipt in the shell variable <code>receipt</code>, <code>openssl</code> checks it:
      </p>
      <CopyBox text={how.lines.map(inLines).join("\n")} />
      <details>
        <summary>If the service has changed its key since then</summary>
        <p>
          <a href={`${base}/.well-known/jwks.json`}>The list of keys</a> has every key that ever signed. Take
          the one whose <code>kid</code> is in the header of the receipt. Put its <code>x</code> into the
          shell variable <code>x</code>. Then this command makes the file <code>key.pem</code> for the
          commands above:
        </p>
        <CopyBox text={how.retired.join("\n")} />
      </details>
    </Layout>
  );
}

function Result({ base, verdict }: { base: string; verdict: Verdict }) {
  const { title, sentence, warning, notes, fields } = describeVerdict(verdict);
  return (
    <section class={`stage result ${verdict.verdict}`}>
      <h2 safe>{title}</h2>
      <p class="lead">
        {sentence.map((part) => (
          <PartOf base={base} part={part} />
        ))}
      </p>
      {warning !== null && (
        <p class="warning" safe>
          {warning}
        </p>
      )}
      {notes.map((note) => (
        <Note text={note} />
      ))}
      {fields.length > 0 && (
        <details>
          <summary>What is in it</summary>
          <dl class="hashes">
            {fields.map(([name, value]) => (
              <>
                <dt safe>{name}</dt>
                <dd>
                  <code dir="auto" safe>
                    {revealed(value)}
                  </code>
                </dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

function PartOf({ base, part }: { base: string; part: Part }) {
  if (typeof part === "string") return <span safe>{part}</span>;
  if ("name" in part) {
    return (
      <b>
        <bdi safe>{revealed(part.name)}</bdi>
      </b>
    );
  }
  return (
    <a href={attribute(base + part.path)} safe>
      {part.link}
    </a>
  );
}
