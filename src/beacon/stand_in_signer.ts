/** Stands in for the receipts' keys until they are there: one fixed key, and the two routes that show it. */

import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { Elysia } from "elysia";
import { undocumented } from "../web/doc.ts";

const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 7)]);
const key = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
const public_key = createPublicKey(key);
const base64url = (text: string | Uint8Array) => Buffer.from(text).toString("base64url");
const { x } = public_key.export({ format: "jwk" }) as { x: string };
const kid = base64url(Bun.SHA256.hash(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`) as Uint8Array);

export const standInSigner = {
  sign(typ: string, payload: object): string {
    const signed = `${base64url(JSON.stringify({ alg: "EdDSA", typ, kid }))}.${base64url(JSON.stringify(payload))}`;
    return `${signed}.${base64url(sign(null, Buffer.from(signed), key))}`;
  },
  http: () =>
    new Elysia({ name: "stand-in" })
      .get(
        "/.well-known/jwks.json",
        () => Response.json({ keys: [{ kty: "OKP", crv: "Ed25519", kid, use: "sig", x }] }),
        undocumented,
      )
      .get(
        "/receipt/key.pem",
        () => new Response(public_key.export({ format: "pem", type: "spki" })),
        undocumented,
      ),
};
