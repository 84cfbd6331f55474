/** Grants of programs, written into the database as if a name had let a program in. */

import { sha256Hex } from "../../src/core/secrets.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import type { GrantRow } from "../../src/oauth/store.ts";
import type { Holder } from "./names.ts";
import { stored } from "./stored.ts";

interface Granting {
  directory: string;
  url: string;
}

let count = 0;

/** The grant that `holder` gave to a program. Returns it. */
export async function grantOf(
  { directory, url }: Granting,
  holder: Holder,
  fields: Partial<GrantRow> = {},
): Promise<GrantRow> {
  const row: GrantRow = {
    id: `019c7d2e-7a10-7000-8000-${String(++count).padStart(12, "0")}`,
    name: canonicalName(holder.name),
    key_sha256: sha256Hex(holder.key),
    client: "https://client.example/oauth/metadata.json",
    client_name: "Example",
    client_host: "client.example",
    resource: `${url}/mcp/account`,
    scope: "wharf",
    created: "2026-03-01T12:00:00.000Z",
    used: "2026-03-01T13:00:00.000Z",
    expires: "2026-06-01T13:00:00.000Z",
    ...fields,
  };
  const columns = Object.keys(row);
  const marks = columns.map((_column, i) => `$${i + 1}`).join(", ");
  await stored(
    directory,
    `INSERT INTO oauth_grants (${columns.join(", ")}) VALUES (${marks})`,
    ...Object.values<string>(row as never),
  );
  return row;
}
