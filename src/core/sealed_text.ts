/** Texts that only this service can read: encrypted with a key that follows from the server's secret (AES-256-GCM, NIST SP 800-38D). */

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./random.ts";

const algorithm = "aes-256-gcm";
const iv_bytes = 12;
const tag_bytes = 16;

interface Sealing {
  /** Encrypts `text`. It opens with the same `bound_to` only. */
  seal(bound_to: string, text: string): string;
  /** Null for what this service has not sealed for `bound_to`. */
  open(bound_to: string, sealed: string): string | null;
}

/** `server_secret`: 32 bytes in hex. `purpose`: what is sealed for one purpose does not open for another. */
export function createSealing(server_secret: string, purpose: string, random: Random): Sealing {
  const key = new Uint8Array(hkdfSync("sha256", Uint8Array.fromHex(server_secret), "", purpose, 32));
  return {
    seal(bound_to, text) {
      const iv = random.bytes(iv_bytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(bound_to));
      const parts = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...parts]).toString("base64url");
    },

    open(bound_to, sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < iv_bytes + tag_bytes) return null;
      const [iv, tag] = [bytes.subarray(0, iv_bytes), bytes.subarray(iv_bytes, iv_bytes + tag_bytes)];
      const decipher = createDecipheriv(algorithm, key, iv).setAAD(Buffer.from(bound_to)).setAuthTag(tag);
      try {
        const parts = [decipher.update(bytes.subarray(iv_bytes + tag_bytes)), decipher.final()];
        return Buffer.concat(parts).toString();
      } catch {
        return null;
      }
    },
  };
}
