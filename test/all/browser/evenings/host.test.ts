/** An evening of a host who is signed in on another browser than the one that opened the room, and has no host key at hand. */

import { describe, expect, test } from "bun:test";
import { orThrow } from "../../../../src/client/client.ts";
import { claim } from "../../../support/names.ts";
import { readings, useBrowser } from "../support/browser.ts";
import { signIn } from "../support/pages.ts";
import { expectAtMost, walker } from "../support/walk.ts";

const browser = useBrowser();

describe.each(readings)("%s", (title, script) => {
  test("redacts a post, ends a lease and closes the room", async () => {
    const suffix = title.replace(" ", "-");
    const host = await claim(browser.wharf.url, `mod-${suffix}`);
    const holder = await claim(browser.wharf.url, `writer-${suffix}`);
    const goal = `What may be said here ${title}?`;
    const { slug } = await orThrow(
      browser.wharf.client(host).post("/api/meet/rooms", { body: { goal, name: host.name } }),
    );
    const path = { room: slug };
    for (const text of ["Hello.", "Call me: 020 7946 0958.", "Thank you."]) {
      const body = { name: "guest", body: text };
      await orThrow(browser.wharf.client().post("/api/meet/rooms/{room}/posts", { path, body }));
    }
    const body = { paths: ["docs/plan.md"], ttl_seconds: 3_600 };
    await orThrow(browser.wharf.client(holder).post("/api/meet/rooms/{room}/leases", { path, body }));

    const page = await browser.openPage({ script, width: 390 });
    await signIn(page, host.name, host.key);
    await page.locator("header .me").waitFor();
    const walk = walker(page);
    await walk.press(page.getByRole("navigation").getByRole("link", { name: "Rooms" }).first());
    await walk.follow(goal);
    await walk.follow("Redact #2");
    expect(await page.locator("#redact").innerText()).toContain("nobody can restore it");
    await walk.press(page.locator("#redact button[type=submit]"));
    await page.locator("[data-n='2']", { hasText: "Redacted by the host" }).waitFor();
    await walk.press(page.locator("#held summary"));
    await walk.press(page.locator("#held button"));
    await page.locator("#held[hidden]").waitFor({ state: "attached" });
    await walk.press(page.locator("#close summary"));
    await walk.press(page.locator("#close button[type=submit]"));
    await page.getByText("This room is closed.").waitFor();

    expectAtMost({ clicks: 8, loads: 6 }, walk);
  });
});
