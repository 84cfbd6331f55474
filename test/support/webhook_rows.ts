/** Many names with webhooks, written into the database of a service that does not run. */

import { insertOf } from "../../src/storage/rows.ts";
import { withStored } from "./stored.ts";

export interface WebhookOfRow {
  /** In its canonical form. */
  name: string;
  url: string;
  /** Whether its receiver failed or took long at its last call. */
  is_slow?: boolean;
}

const at = "2026-03-01T11:00:00.000Z";

/** Adds names. Each has a webhook, and a note that no call has covered. */
export const addWebhooks = (directory: string, webhooks: readonly WebhookOfRow[]): Promise<void> =>
  withStored(directory, async ({ run }) => {
    for (const { name, url, is_slow } of webhooks) {
      const insert = (table: string, row: Record<string, string | number>) =>
        run(...(insertOf(table, row) as [string, ...(string | number)[]]));
      const keys = { key_sha256: `key of ${name}`, key_changed: at, recovery_sha256: `code of ${name}` };
      await insert("names", { canonical: name, name, created: at, ...keys, last_act: at, look: name });
      await insert("mailboxes", { owner: name, last_seq: 1 });
      const note = { id: Bun.randomUUIDv7(), at, kind: "job.claimed", content: "{}" };
      await insert("notes", { owner: name, seq: 1, ...note });
      const salt = "00112233445566778899aabbccddeeff";
      const webhook = { id: Bun.randomUUIDv7(), url, salt, created: at, through: 0, slow: is_slow ? 1 : 0 };
      await insert("webhooks", { owner: name, ...webhook });
    }
  });
