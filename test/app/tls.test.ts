/** TLS by certificate files: the check at the start, addresses and cookies, and a new certificate by SIGHUP. */

import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wharf_command } from "../support/binary.ts";
import { makeCertificate, presentedName } from "../support/certificates.ts";
import { FakeClock } from "../support/clock.ts";
import { lacks } from "../support/programs.ts";
import {
  newDirectory,
  removeDirectory,
  startProgram,
  startSource,
  type TestSettings,
} from "../support/service.ts";
import { eventsOf } from "../support/sse.ts";

const directory = newDirectory();
afterAll(() => removeDirectory(directory));
const unusable = lacks("TLS", "openssl");
const [first, second] = unusable ? [] : ["first", "second"].map((name) => makeCertificate(directory, name));

/** Waits until the output of a service contains `text`. */
async function logged(service: { output(): string }, text: string): Promise<void> {
  while (!service.output().includes(text)) await Bun.sleep(5);
}

describe.skipIf(unusable)("the certificate", () => {
  const garbage = join(directory, "garbage.pem");
  writeFileSync(garbage, "no certificate");
  test.each<[string, () => TestSettings, string]>([
    ["without its key", () => ({ tls_cert: first!.cert }), "--tls-cert needs --tls-key, too"],
    ["a key alone", () => ({ tls_key: first!.key }), "--tls-key needs --tls-cert, too"],
    [
      "a missing file",
      () => ({ ...first!.settings, tls_cert: "/no/such" }),
      "--tls-cert /no/such cannot be read: there is no directory /no",
    ],
    ["no certificate", () => ({ ...first!.settings, tls_cert: garbage }), "has no certificate in PEM"],
    ["no key", () => ({ ...first!.settings, tls_key: garbage }), "has no private key in PEM"],
    [
      "another key",
      () => ({ ...first!.settings, tls_key: second!.key }),
      "is not the key of the certificate",
    ],
    [
      "with a unix socket",
      () => ({ ...first!.settings, socket: join(directory, "s") }),
      "A unix socket has no TLS",
    ],
  ])("%s is refused at the start", (_title, settings, fault) => {
    expect(startSource(settings())).rejects.toThrow(fault);
  });

  test("is warned of if it is not valid yet, expires soon, or has expired", async () => {
    const day = 86_400_000;
    for (const [days, hint] of [
      [-2, "not valid yet"],
      [30, null],
      [85, "expires soon"],
      [91, "has expired"],
    ] as const) {
      const clock = new FakeClock();
      clock.set(new Date(Date.now() + days * day).toISOString());
      const service = await startSource(first!.settings, clock);
      if (hint === null) expect(service.output()).not.toContain("tls.certificate");
      else expect(service.output()).toContain(hint);
      await service.stop();
    }
  });
});

describe.skipIf(unusable)("a service with TLS", () => {
  test("has https in its links, Secure in its cookie, and no plain http", async () => {
    const service = await startSource(first!.settings);
    const tls = { ca: first!.pem };
    const at = (path: string, init: RequestInit = {}) =>
      fetch(service.url + path, { ...init, tls, redirect: "manual" });
    expect(service.url).toStartWith("https://127.0.0.1:");
    expect(await (await at("/llms.txt")).text()).toContain(`${service.url}/api`);
    const page = await (await at("/meet", { headers: { accept: "text/html" } })).text();
    expect(page).toContain(`action="${service.url}/meet#sent"`);
    const claimed = await at("/api/name", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada" }),
    });
    const { key } = (await claimed.json()) as { key: string };
    const signed_in = await at("/signin", {
      method: "POST",
      headers: { origin: service.url },
      body: new URLSearchParams({ name: "Ada", key }),
    });
    expect(signed_in.headers.get("location")).toStartWith(service.url);
    expect(signed_in.headers.get("set-cookie")).toMatch(/^__Host-wharf=.*; Secure$/);
    expect((await at("/meet", { method: "HEAD" })).status).toBe(200);
    expect((await at("/none")).status).toBe(404);
    expect(fetch(service.url.replace("https", "http"))).rejects.toThrow();
    await service.stop();
  });

  test("takes a new certificate on SIGHUP, keeps streams, and stays with it if the next is wrong", async () => {
    const [cert, key] = [join(directory, "present.crt"), join(directory, "present.key")];
    const use = (made: { cert: string; key: string }) => {
      copyFileSync(made.cert, cert);
      copyFileSync(made.key, key);
    };
    use(first!);
    const service = await startProgram(wharf_command, { tls_cert: cert, tls_key: key });
    const call = (path: string, init: RequestInit = {}) =>
      fetch(service.url + path, { ...init, tls: { rejectUnauthorized: false } });
    const send = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const answer = await call(path, { method: "POST", headers, body: JSON.stringify(body) });
      return (await answer.json()) as { slug: string };
    };
    const { slug } = await send("/api/meet/rooms", { goal: "Renewals", name: "Ada" });
    const room = `/api/meet/rooms/${slug}`;
    const events = eventsOf(await call(`${room}/stream`));
    expect(await presentedName(service.url)).toBe("first");

    use(second!);
    service.process.kill("SIGHUP");
    await logged(service, "service.reloaded");
    expect(await presentedName(service.url)).toBe("second");
    await send(`${room}/posts`, { name: "Ada", body: "after it" });
    expect((await events.next()).value).toMatchObject({ data: expect.stringContaining("after it") });

    copyFileSync(first!.key, key);
    service.process.kill("SIGHUP");
    await logged(service, "is not the key of the certificate");
    expect(await presentedName(service.url)).toBe("second");
    await send(`${room}/posts`, { name: "Ada", body: "still here" });
    expect((await events.next()).value).toMatchObject({ data: expect.stringContaining("still here") });

    const { port } = new URL(service.url);
    const check = Bun.spawnSync([...wharf_command, "healthcheck", "--port", port, "--tls-cert", cert]);
    expect([check.exitCode, check.stderr.toString()]).toEqual([0, ""]);
    await service.stop();
    expect(service.process.exitCode).toBe(0);
    expect((await events.next()).done).toBe(true);
  });
});

test("SIGHUP without a certificate changes nothing", async () => {
  const service = await startProgram(wharf_command);
  service.process.kill("SIGHUP");
  await logged(service, "service.reloaded");
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await service.stop();
});
