/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** A document of blocks as a page. */

import { Html } from "@elysiajs/html";
import type { Block, DiscoveryDocument, Field, Line, Piece } from "../src/discovery/blocks.ts";
import { Layout, type Site } from "./layout.tsx";
import { attribute } from "./text.ts";

export interface DocumentPage {
  site: Site;
  document: DiscoveryDocument;
  /** The URL of the document as markdown. */
  twin: string;
  noindex?: boolean;
}

export async function documentPage({ site, document, twin, noindex = false }: DocumentPage): Promise<string> {
  const { title, description, blocks } = document;
  return (
    <Layout
      frame={{ ...site, title, description, noindex, alternates: [{ type: "text/markdown", href: twin }] }}
    >
      <h1 safe>{title}</h1>
      <p safe>{description}</p>
      {blocks.map((block) => (
        <BlockView block={block} />
      ))}
    </Layout>
  );
}

function BlockView({ block }: { block: Block }) {
  const { kind } = block;
  if (kind === "heading") return <Heading block={block} />;
  if (kind === "fields") return <Fields of={block.of} fields={block.fields} />;
  if (kind === "code") {
    return (
      <pre>
        <code safe>{block.text}</code>
      </pre>
    );
  }
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
    <table>
      <thead>
        <tr>
          <th scope="col" safe>
            {of}
          </th>
          <th scope="col">type</th>
          <th scope="col">what it is</th>
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

function PieceView({ piece }: { piece: Piece }) {
  if (typeof piece === "string") return <>{Html.escapeHtml(piece)}</>;
  const shown = "code" in piece ? <code safe>{piece.code}</code> : <span safe>{piece.text}</span>;
  return piece.href === undefined ? shown : <a href={attribute(piece.href)}>{shown as "safe"}</a>;
}
