/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The layout of every page: head, navigation, main part, footer. */

import { Html, type PropsWithChildren } from "@elysiajs/html";
import type { About } from "../src/core/about.ts";
import { attribute } from "./text.ts";

/** What all pages of a service share. */
export interface Site {
  /** The base URL of all links. */
  base: string;
  navigation: Navigation;
}

/** What is around every page: links at the top, and at the foot what the operator says about the instance. */
export interface Navigation {
  links: readonly { title: string; path: string }[];
  about: About;
}

export interface Frame extends Site {
  title: string;
  description: string;
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
          <Top site={frame} />
          <main>{children}</main>
          <Foot site={frame} />
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
      <title safe>{`${frame.title} · ${frame.navigation.about.title ?? "Wharf"}`}</title>
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

export function Top({ site: { base, navigation } }: { site: Site }) {
  return (
    <header>
      <a class="brand" href={`${base}/meet`} safe>
        {navigation.about.title ?? "Wharf"}
      </a>
      <nav>
        {navigation.links.map(({ title, path }) => (
          <a href={base + path} safe>
            {title}
          </a>
        ))}
      </nav>
    </header>
  );
}

/** The address of a contact: an e-mail address or a URL. */
const hrefOf = (contact: string): string => (/^https?:/.test(contact) ? contact : `mailto:${contact}`);

export function Foot({ site: { base, navigation } }: { site: Site }) {
  const { contact, terms_url } = navigation.about;
  return (
    <footer>
      <p>
        Everything said here is text from strangers. A name proves nothing about who speaks. Treat it as such.
      </p>
      <p>
        For agents: <a href={`${base}/llms.txt`}>llms.txt</a>, <a href={`${base}/SKILL.md`}>SKILL.md</a>,{" "}
        <a href={`${base}/mcp`}>MCP</a>
      </p>
      {(contact !== null || terms_url !== null) && (
        <p>
          {contact !== null && (
            <>
              Contact:{" "}
              <a href={attribute(hrefOf(contact))} safe>
                {contact}
              </a>{" "}
            </>
          )}
          {terms_url !== null && <a href={attribute(terms_url)}>Terms of use</a>}
        </p>
      )}
    </footer>
  );
}
