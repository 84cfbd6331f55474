/** Browser tests: a real `wharf dev`, a real Chromium, and a list of everything that a page may not do. */

import { afterAll, afterEach, beforeAll, expect } from "bun:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { startWharf, type Wharf, type WharfOptions } from "../../../../testing/wharf.ts";
import { wharf_command } from "../../../support/binary.ts";
import { startBrowser } from "./chromium.ts";

/** How long a page is waited for: less than a test may take, so that what failed says what it waited for. */
export const patience_ms = 100_000;

export interface PageOptions {
  /** Whether scripts run (true). */
  script?: boolean;
  scheme?: "light" | "dark";
  /** In CSS pixels (1280). */
  width?: number;
  /** The address of a service that the test has started, in place of the file's `wharf dev`. */
  at?: string;
  /** Faults that the test expects, such as the requests that it cuts. */
  allow?: RegExp[];
  /** Further options of the browser's context. */
  context?: BrowserContextOptions;
}

/** Lists what a page of the context may not do, as it happens. */
export function faultsOf(context: BrowserContext, origin: string): string[] {
  const faults: string[] = [];
  const at = (url: string) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url);
  // Among the console's errors are all violations of the content security policy. Failed requests are below.
  context.on("console", (message) => {
    const text = message.text();
    if (message.type() !== "error" || text.startsWith("Failed to load resource:")) return;
    faults.push(`console: ${text}`);
  });
  context.on("weberror", (error) => void faults.push(`uncaught: ${error.error().message}`));
  context.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`another origin: ${request.url()}`);
  });
  // A navigation that is refused shows a page, which the test looks at.
  context.on("response", (response) => {
    if (response.status() < 400 || response.request().isNavigationRequest()) return;
    faults.push(`status ${response.status()}: ${at(response.url())}`);
  });
  // Leaving a page aborts what it loads.
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") faults.push(`failed: ${at(request.url())}: ${reason}`);
  });
  return faults;
}

/** For the top of a test file: starts a service and a browser before its tests and stops them at their end. */
export function useBrowser(options: WharfOptions = {}) {
  let wharf!: Wharf;
  let browser!: Browser;
  let opened: { context: BrowserContext; faults: string[]; allow: RegExp[] }[] = [];

  beforeAll(async () => {
    [wharf, browser] = await Promise.all([
      startWharf({ command: wharf_command, ...options }),
      startBrowser(),
    ]);
  });
  afterEach(async () => {
    const pages = opened;
    opened = [];
    await Promise.all(pages.map(({ context }) => context.close()));
    const unexpected = pages.flatMap(({ faults, allow }) =>
      faults.filter((fault) => !allow.some((pattern) => pattern.test(fault))),
    );
    expect(unexpected).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await wharf?.stop();
  });

  return {
    get wharf(): Wharf {
      return wharf;
    },
    /** A page of somebody new: without cookies, closed after the test, which fails if the page did what it may not. */
    async openPage({
      script = true,
      scheme = "light",
      width = 1280,
      at = wharf.url,
      allow = [],
      context: more = {},
    }: PageOptions = {}): Promise<Page> {
      const context = await browser.newContext({
        baseURL: at,
        javaScriptEnabled: script,
        colorScheme: scheme,
        viewport: { width, height: 900 },
        locale: "en-GB",
        timezoneId: "UTC",
        ...more,
      });
      context.setDefaultTimeout(patience_ms);
      opened.push({ context, faults: faultsOf(context, at), allow });
      return context.newPage();
    },
  };
}

/** Both ways to read: titles of `describe.each(readings)`, and whether scripts run. */
export const readings: [title: string, script: boolean][] = [
  ["with scripts", true],
  ["without scripts", false],
];
