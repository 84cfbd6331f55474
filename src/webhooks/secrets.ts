/** The secrets of webhooks: what signs their calls, and the headers that receivers want. The database has neither of them readable. */

import { createHmac, hkdfSync } from "node:crypto";
import type { Random } from "../core/random.ts";
import { createSealing } from "../core/sealed_text.ts";
import { webhook_internal_limits } from "./limits.ts";

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** `server_secret`: 32 bytes in hex, stored in the database and never returned. */
export function createWebhookSecrets(server_secret: string, random: Random) {
  const server_key = Uint8Array.fromHex(server_secret);
  const sealing = createSealing(server_secret, "webhook authorization", random);
  const keyOf = (salt: string) =>
    new Uint8Array(hkdfSync("sha256", server_key, salt, "webhook", webhook_internal_limits.secret_bytes));

  return {
    newSalt: () => random.bytes(16).toHex(),

    /** The secret as receivers get it (Standard Webhooks 1.0, symmetric signatures). */
    shown: (salt: string): string => `whsec_${keyOf(salt).toBase64()}`,

    /**
     * The headers of a call (Standard Webhooks 1.0): its id, the time of the try in Unix seconds, and a signature of `id.time.body` with
     * each secret.
     */
    headers(
      salts: readonly string[],
      id: string,
      unix_seconds: number,
      body: string,
    ): Record<string, string> {
      const signed = `${id}.${unix_seconds}.${body}`;
      const signatures = salts.map(
        (salt) => `v1,${createHmac("sha256", keyOf(salt)).update(signed).digest("base64")}`,
      );
      return {
        "webhook-id": id,
        "webhook-timestamp": String(unix_seconds),
        "webhook-signature": signatures.join(" "),
      };
    },

    /** `webhook`: the id of the webhook, to which the header is bound. */
    seal: (webhook: string, header: string): string => sealing.seal(webhook, header),
    open: (webhook: string, sealed: string): string | null => sealing.open(webhook, sealed),
  };
}
