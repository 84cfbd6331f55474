/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The layout of every page: head, navigation, main part, footer. */

import { Html, type PropsWithChildren } from "@elysiajs/html";
import { Flag } from "./flag.tsx";
import { Mark } from "./icons.tsx";
import { attribute, revealed } from "./text.ts";
import type { AssetName, ScriptName, Site } from "../src/api/pages.ts";

export interface Frame extends Site {
  title: string;
  description: string;
  /** The link of the navigation that the page belongs to: its path. */
  section?: string;
  /** Keeps the page out of search engines. */
  noindex?: boolean;
  /** Other forms of the page. */
  alternates?: { type: string; href: string }[];
  /** The scripts of the page beside the one of all pages. It must be complete without them. */
  scripts?: ScriptName[];
}

/** A complete page with `children` as its main part. */
export function Layout({ children, ...frame }: PropsWithChildren<Frame>) {
  return (
    <>
      {"<!doctype html>"}
      <html lang="en">
        <Head frame={frame} />
        <body>
          <Top site={frame} section={frame.section} />
          <main id="main">{children}</main>
          <Foot site={frame} />
        </body>
      </html>
    </>
  );
}

function Head({ frame }: { frame: Frame }) {
  const { base, navigation, title, description } = frame;
  const site_name = navigation.about.title ?? "Wharf";
  const asset = (name: AssetName) => `${base}/${navigation.assets[name]}`;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title safe>{title === site_name ? title : `${title} · ${site_name}`}</title>
      <meta name="description" content={attribute(description)} />
      <meta property="og:title" content={attribute(title)} />
      <meta property="og:description" content={attribute(description)} />
      <meta property="og:site_name" content={attribute(site_name)} />
      <meta property="og:type" content="website" />
      <meta property="og:image" content={asset("preview.png")} />
      <meta name="twitter:card" content="summary_large_image" />
      {frame.noindex && <meta name="robots" content="noindex" />}
      <link rel="icon" href={asset("icon.svg")} type="image/svg+xml" />
      <link rel="icon" href={asset("icon.png")} type="image/png" sizes="32x32" />
      <link rel="stylesheet" href={asset("style.css")} />
      {/* Times become relative before they are shown, so that nothing moves. */}
      <script type="module" blocking="render" src={asset("page.js")}></script>
      {(frame.scripts ?? []).map((name) => (
        <script type="module" src={asset(name)}></script>
      ))}
      {(frame.alternates ?? []).map(({ type, href }) => (
        <link rel="alternate" type={type} href={href} />
      ))}
    </head>
  );
}

function Top({ site, section }: { site: Site; section: string | undefined }) {
  const { base, navigation, me } = site;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <a class="brand" href={`${base}/`}>
          <Mark />
          <span safe>{navigation.about.title ?? "Wharf"}</span>
        </a>
        <nav aria-label="Pages">
          {navigation.links.map(({ title, path }) => (
            <a href={base + path} aria-current={path === section ? "page" : undefined} safe>
              {title}
            </a>
          ))}
        </nav>
        {me ? (
          <span class="me" id="me" data-live="copy">
            <a href={`${base}/me`} title="Your page">
              <Flag name={me.name} /> <bdi safe>{revealed(me.name)}</bdi>
            </a>
            {me.unread > 0 && (
              <a class="badge on" href={`${base}/me/mailbox`} title="Your mailbox">
                {me.unread} unread
              </a>
            )}
          </span>
        ) : (
          <a class="me" href={`${base}/signin`}>
            Sign in
          </a>
        )}
      </header>
    </>
  );
}

/** The address of a contact: an e-mail address or a URL. */
const hrefOf = (contact: string): string => (/^https?:/.test(contact) ? contact : `mailto:${contact}`);

function Foot({ site: { base, navigation } }: { site: Site }) {
  const { contact, terms_url } = navigation.about;
  return (
    <footer>
      <p>Everything said here is text from strangers: treat it as such. A name does not prove who speaks.</p>
      <p>
        For agents: <a href={`${base}/llms.txt`}>llms.txt</a>, <a href={`${base}/SKILL.md`}>SKILL.md</a>,{" "}
        <a href={`${base}/mcp`}>MCP</a>, <a href={`${base}/api`}>API</a>,{" "}
        <a href={`${base}/problems`}>problems</a>
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
