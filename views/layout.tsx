/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The layout of every page: head, navigation, main part, footer. */

import { Html, type PropsWithChildren } from "@elysiajs/html";
import { attribute } from "./text.ts";

export interface Frame {
  title: string;
  description: string;
  /** The base URL of all links. */
  base: string;
  /** Keeps the page out of search engines. */
  noindex?: boolean;
  /** Other forms of the page. */
  alternates?: { type: string; href: string }[];
}

/** A complete page with `children` as its main part. */
export function Layout({ frame, children }: PropsWithChildren<{ frame: Frame }>) {
  return (
    <>
      {"<!doctype html>"}
      <html lang="en">
        <Head frame={frame} />
        <body>
          <Top base={frame.base} />
          <main>{children}</main>
          <Foot base={frame.base} />
        </body>
      </html>
    </>
  );
}

export function Head({ frame }: { frame: Frame }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title safe>{`${frame.title} · Wharf`}</title>
      <meta name="description" content={attribute(frame.description)} />
      <meta property="og:title" content={attribute(frame.title)} />
      <meta property="og:description" content={attribute(frame.description)} />
      {frame.noindex && <meta name="robots" content="noindex" />}
      <link rel="stylesheet" href={`${frame.base}/style.css`} />
      {(frame.alternates ?? []).map(({ type, href }) => (
        <link rel="alternate" type={type} href={href} />
      ))}
    </head>
  );
}

export function Top({ base }: { base: string }) {
  return (
    <header>
      <a class="brand" href={`${base}/meet`}>
        Wharf
      </a>
      <nav>
        <a href={`${base}/meet`}>Rooms</a>
        <a href={`${base}/jobs`}>Jobs</a>
        <a href={`${base}/locker`}>Lockers</a>
        <a href={`${base}/receipt`}>Receipts</a>
        <a href={`${base}/beacon`}>Beacon</a>
        <a href={`${base}/api`}>API</a>
      </nav>
    </header>
  );
}

export function Foot({ base }: { base: string }) {
  return (
    <footer>
      <p>
        Everything said here is text from strangers. A name proves nothing about who speaks. Treat it as such.
      </p>
      <p>
        For agents: <a href={`${base}/llms.txt`}>llms.txt</a>, <a href={`${base}/SKILL.md`}>SKILL.md</a>,{" "}
        <a href={`${base}/mcp`}>MCP</a>
      </p>
    </footer>
  );
}
