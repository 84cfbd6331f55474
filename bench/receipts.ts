/** The cost of signing: node:crypto against jose, and a post with a receipt against one without. */

import { CompactSign, importJWK } from "jose";
import { newKey } from "../src/receipts/keys.ts";
import { receiptsWith } from "../src/receipts/receipts.ts";
import { systemRandom } from "../src/core/random.ts";
import { load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { a_post, newDirectory, openRoom, serveCommand, start } from "./servers.ts";
import { perSecond, type Row } from "./table.ts";

const rounds = 5;
const signatures = 5_000;

const source = {
  act: "meet.speak",
  ref: "0199a1b2-0000-7000-8000-000000000000",
  where: "/meet/r/a-room#p-0199a1b2-0000-7000-8000-000000000000",
  at: "2026-03-01T12:00:00.000Z",
  name: "Bench",
  name_claimed: false,
  text: a_post.body,
};

/** Receipts per second, signed one after another. */
async function rate(sign: () => unknown): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < signatures; i++) await sign();
  return (signatures / (performance.now() - began)) * 1000;
}

async function benchSigning(): Promise<Row> {
  const key = newKey(systemRandom);
  const receipts = receiptsWith(
    [{ ...key, created: source.at, retired_at: null }],
    () => "https://wharf.example",
  );
  const jwk = await importJWK({ kty: "OKP", crv: "Ed25519", x: key.x, d: key.d }, "EdDSA");
  const payload = Buffer.from(receipts.issue(source).split(".")[1]!, "base64url");
  const header = { alg: "EdDSA", typ: "receipt+jwt", kid: key.kid };
  const signed = await sideBySide(rounds, {
    here: () => rate(() => receipts.issue(source)),
    jose: () => rate(() => new CompactSign(payload).setProtectedHeader(header).sign(jwk)),
  });
  return {
    what: "receipts signed, one after another",
    value: perSecond(signed.here),
    compared: `${perSecond(signed.jose)} by jose, whose signing is asynchronous`,
    ratio: signed.here / signed.jose,
  };
}

async function benchSignedPosts(): Promise<Row> {
  const service = await start(serveCommand(newDirectory()));
  try {
    await openRoom(service.url, "signed");
    const path = "/api/meet/rooms/signed/posts";
    const posts = async (query: string) => {
      const requests = [postRequest(service.url, path + query, a_post)];
      return (await load(service.url, { requests, connections: 64, seconds: 2 })).per_second;
    };
    await posts("");
    const seen = await sideBySide(rounds, { signed: () => posts("?receipt=1"), bare: () => posts("") });
    return {
      what: "durable posts with `?receipt=1`, 64 connections",
      value: perSecond(seen.signed),
      compared: `${perSecond(seen.bare)} without a receipt`,
      ratio: seen.signed / seen.bare,
    };
  } finally {
    await service.stop();
  }
}

export const benchReceipts = async (): Promise<Row[]> => [await benchSigning(), await benchSignedPosts()];
