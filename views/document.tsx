/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** A document of blocks as a page. */

import { Html } from "@elysiajs/html";
import { CopyBox } from "./components.tsx";
import { Layout } from "./layout.tsx";
import { attribute } from "./text.ts";
import type { ScriptName, Site } from "../src/api/pages.ts";
import type { Block, DiscoveryDocument, Field, Line, Piece, TryCall } from "../src/api/documents.ts";

interface DocumentPage {
  site: Site;
  document: DiscoveryDocument;
  /** The URL of the document as markdown. */
  twin: string;
  noindex?: boolean;
}

export async function documentPage({ site, document, twin, noindex = false }: DocumentPage): Promise<string> {
  // Loaded at the first use, so that the service does not start later because of it.
  const { budgetOfText, highlighted } = await import("./markdown/code.ts");
  const { title, description, blocks } = document;
  const headings = blocks.filter((block) => block.kind === "heading");
  const is_long = headings.length >= contents_headings_min;
  const scripts: ScriptName[] = blocks.some(({ kind }) => kind === "try") ? ["try.js"] : [];
  const alternates = [{ type: "text/markdown", href: twin }];
  return (
    <Layout
      {...site}
      section="/api"
      title={title}
      description={description}
      noindex={noindex}
      alternates={alternates}
      scripts={scripts}
    >
      <h1 safe>{title}</h1>
      <p class="lead" safe>
        {description}
      </p>
      <div class={is_long ? "with-contents" : undefined}>
        {is_long && <Contents headings={headings} />}
        <div>
          {blocks.map((block) =>
            block.kind === "code" ? (
              <CopyBox text={block.text} html={highlighted(block.text, block.language, budgetOfText())} />
            ) : (
              <BlockView block={block} base={site.base} />
            ),
          )}
        </div>
      </div>
    </Layout>
  );
}

/** Shorter pages need no contents. */
const contents_headings_min = 4;

function Contents({ headings }: { headings: Extract<Block, { kind: "heading" }>[] }) {
  return (
    <nav class="contents" aria-label="On this page">
      <ul>
        {headings.map(({ id, text, level }) => (
          <li class={level === 3 ? "sub" : undefined}>
            <a href={`#${attribute(id)}`} safe>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function BlockView({ block, base }: { block: Exclude<Block, { kind: "code" }>; base: string }) {
  const { kind } = block;
  if (kind === "try") return <TryForm call={block} base={base} />;
  if (kind === "heading") return <Heading block={block} />;
  if (kind === "fields") return <Fields of={block.of} fields={block.fields} />;
  if (kind === "text") {
    return (
      <p>
        <LineView line={block.line} />
      </p>
    );
  }
  return (
    <ul>
      {block.items.map((item) => (
        <li>
          <LineView line={item} />
        </li>
      ))}
    </ul>
  );
}

/** The form for `scripts/try.ts`, which shows it and sends the call. */
function TryForm({ call: { method, path, parameters, body }, base }: { call: TryCall; base: string }) {
  return (
    <details class="try" hidden>
      <summary>Try it</summary>
      <form data-method={method} data-url={attribute(base + path)}>
        {parameters.map(({ name, in: where, required }) => (
          <label class="field">
            <span safe>{required ? name : `${name} (optional)`}</span>
            <input name={attribute(name)} data-in={where} required={required} autocomplete="off" />
          </label>
        ))}
        <label class="field">
          Key (optional)
          <input name="key" data-in="key" type="password" autocomplete="off" />
        </label>
        {body !== null && (
          <label class="field">
            Body
            <textarea name="body" data-in="body" spellcheck="false" safe>{`\n${body}`}</textarea>
          </label>
        )}
        <button type="submit">Send</button>
        <output aria-live="polite"></output>
      </form>
    </details>
  );
}

function Heading({ block }: { block: Extract<Block, { kind: "heading" }> }) {
  const id = attribute(block.id);
  return block.level === 2 ? (
    <h2 id={id} safe>
      {block.text}
    </h2>
  ) : (
    <h3 id={id} safe>
      {block.text}
    </h3>
  );
}

function Fields({ of, fields }: { of: string; fields: Field[] }) {
  if (fields.length === 0) return <></>;
  return (
    <table tabindex="0">
      <thead>
        <tr>
          <th scope="col" safe>
            {of}
          </th>
          <th scope="col">Type</th>
          <th scope="col">What it is</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, about }) => (
          <tr>
            <td>
              <code safe>{name}</code>
            </td>
            <td>
              <LineView line={type} />
            </td>
            <td safe>{about}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LineView({ line }: { line: Line }) {
  const pieces = Array.isArray(line) ? line : [line];
  return (
    <>
      {pieces.map((piece) => (
        <PieceView piece={piece} />
      ))}
    </>
  );
}

/** Longer code may be broken. */
const short_chars_max = 30;

/** A short call or header stays on one line. */
const CodeView = ({ code }: { code: string }) => (
  <code class={code.length <= short_chars_max && /[ -]/.test(code) ? "short" : undefined} safe>
    {code}
  </code>
);

function PieceView({ piece }: { piece: Piece }) {
  if (typeof piece === "string") return <>{Html.escapeHtml(piece)}</>;
  const shown = "code" in piece ? <CodeView code={piece.code} /> : <span safe>{piece.text}</span>;
  return piece.href === undefined ? shown : <a href={attribute(piece.href)}>{shown as "safe"}</a>;
}
