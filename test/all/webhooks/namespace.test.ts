/**
 * The binary in a network of its own, where a name has a public address at one moment and a private one at the next. The file runs
 * itself again in a network namespace that has only the loopback device.
 */

import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import type { WebhookTested } from "../../../src/api/webhooks.ts";
import { lacks_binary } from "../../support/binary.ts";
import { makeCertificate, type TestCertificate } from "../../support/certificates.ts";
import { startDnsServer, type Resolved } from "../../support/dns_server.ts";
import { startTraps } from "../../support/hostile_receivers.ts";
import { call, post } from "../../support/http.ts";
import { claim } from "../../support/names.ts";
import { is_on_postgres } from "../../support/postgres.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const is_inside = process.env["TEST_IN_NAMESPACE"] === "1";
/** Both are addresses of this machine in the namespace. No other machine has to answer. */
const [public_address, private_address] = ["93.184.215.14", "10.0.0.7"];

const directory = newDirectory();
afterAll(() => removeDirectory(directory));

function commandInNamespace(): string[] {
  const resolv_conf = join(directory, "resolv.conf");
  writeFileSync(resolv_conf, "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n");
  const prepared = [
    "ip link set lo up",
    `ip address add ${public_address}/32 dev lo`,
    `ip address add ${private_address}/32 dev lo`,
    `mount --bind ${resolv_conf} /etc/resolv.conf`,
    'exec "$0" "$@"',
  ];
  return ["unshare", "-rmn", "sh", "-c", prepared.join(" && ")];
}

const lacks_programs =
  !is_inside &&
  !is_on_postgres &&
  lacks("webhooks in a network of their own", "unshare", "ip", "mount", "openssl");
// Containers have the programs but no permission to use them.
const may_enter =
  !is_inside &&
  !is_on_postgres &&
  !lacks_programs &&
  Bun.spawnSync([...commandInNamespace(), "true"]).exitCode === 0;
if (!is_inside && !is_on_postgres && !lacks_programs && !may_enter)
  console.log("NOT POSSIBLE HERE: this user cannot create a network namespace.");
const testOutside = may_enter || lacks_programs ? test.skipIf(lacks_programs || lacks_binary) : () => {};

testOutside("the binary calls public addresses only, whatever a name resolves to later", async () => {
  const command = [...commandInNamespace(), process.execPath, "test", "--timeout", "60000", import.meta.path];
  const inside = Bun.spawn(command, {
    env: { ...process.env, TEST_IN_NAMESPACE: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = await new Response(inside.stderr).text();
  expect(output).toContain("2 pass");
  expect([await inside.exited, output.includes("(fail)")]).toEqual([0, false]);
});

const testInside = is_inside ? test : () => {};

/** Starts a receiver with a certificate at the public address. */
async function startTlsReceiver({ cert, key }: TestCertificate) {
  const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      const [head = "", body = ""] = text.split("\r\n\r\n");
      if (body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Infinity)) return;
      receiver.requests++;
      const answer = JSON.stringify({ challenge: (JSON.parse(body) as { challenge?: string }).challenge });
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, public_address, resolve));
  const { port } = server.address() as { port: number };
  const receiver = { port, requests: 0, stop: () => void server.close() };
  return receiver;
}

const refused = [422, "no_public_host"];
const zone: Record<string, Resolved> = {
  "good.example": [public_address],
  "wrong.example": [public_address],
  "private.example": [private_address],
  "loopback.example": ["127.0.0.1"],
  "mixed.example": [public_address, private_address],
  "nothing.example": [],
};

/** Starts the binary, a receiver at the public address, and listeners at its port of private ones. */
async function started(changing: (count: number) => string) {
  const authority = makeCertificate(directory, "authority", 90, "DNS:authority.example");
  const good = makeCertificate(directory, "good", 90, "DNS:good.example,DNS:rebinding.example", authority);
  const resolver = await startDnsServer(
    (name, count) => (name === "rebinding.example" ? [changing(count)] : (zone[name] ?? "unknown")),
    "127.0.0.1",
    53,
  );
  const receiver = await startTlsReceiver(good);
  const traps = await startTraps(receiver.port, ["127.0.0.1", private_address, "::1"]);
  const service = await startBinary(
    { webhooks: true, rate_limit: false },
    { NODE_EXTRA_CA_CERTS: authority.cert },
  );
  const { pair } = await claim(service.url, "agent");
  const path = `${service.url}/api/mailbox/webhook`;
  return {
    ...{ authority, resolver, receiver, traps, service },
    async set(host: string, port = receiver.port) {
      const url = `https://${host}:${port}/hook`;
      const { status, body } = await call<{ because?: string }>("PUT", path, { url }, pair);
      return [status, body.because ?? null];
    },
    tested: async () => (await post<WebhookTested>(`${path}/test`, {}, pair)).body,
    async stop() {
      await service.stop();
      for (const one of [traps, receiver, resolver]) one.stop();
    },
  };
}

testInside("inside: private names are refused, and so is the certificate of another name", async () => {
  const { set, authority, receiver, traps, stop } = await started(() => public_address);
  for (const name of Object.keys(zone).filter((name) => !/good|wrong/.test(name)))
    expect([name, ...(await set(name))]).toEqual([name, ...refused]);
  for (const host of ["unknown.example", "localhost", private_address, "127.0.0.1", "[::1]", "0.0.0.0"])
    expect([host, ...(await set(host))]).toEqual([host, ...refused]);
  const wrong = await startTlsReceiver(
    makeCertificate(directory, "other", 90, "DNS:other.example", authority),
  );
  expect(await set("wrong.example", wrong.port)).toEqual([422, "tls"]);
  expect(await set(public_address)).toEqual([422, "tls"]);
  expect([receiver.requests, wrong.requests]).toEqual([0, 0]);
  expect(await set("good.example")).toEqual([200, null]);
  expect([receiver.requests, traps.connections]).toEqual([1, 0]);
  wrong.stop();
  await stop();
});

testInside("inside: a name with another address at each query leads to public ones only", async () => {
  const { set, tested, resolver, receiver, traps, stop } = await started((count) =>
    count % 2 === 0 ? public_address : private_address,
  );
  // Each query is answered differently: a second look-up for the connection would lead to a private address.
  expect(await set("rebinding.example")).toEqual([200, null]);
  const ends: (true | string)[] = [];
  for (let i = 0; i < 8; i++) {
    const { delivered, because } = await tested();
    ends.push(delivered || because!);
  }
  expect(traps.connections).toBe(0);
  expect(new Set(ends)).toEqual(new Set<true | string>([true, "no_public_host"]));
  expect(receiver.requests).toBe(1 + ends.filter((end) => end === true).length);
  expect(resolver.resolved.get("rebinding.example")).toBe(1 + ends.length);
  await stop();
});
