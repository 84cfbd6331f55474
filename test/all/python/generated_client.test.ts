/** A client that openapi-python-client generates from the service's own OpenAPI document, against the compiled binary. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { attempt } from "../../../scripts/interop/attempt.ts";
import { clients } from "../../../scripts/interop/clients.ts";
import { startService } from "../../../scripts/interop/service.ts";
import { binary } from "../../support/binary.ts";
import { lacks } from "../../support/programs.ts";
import { install_timeout_ms } from "../../support/python.ts";

const lacks_python = lacks("the generated Python client", "python3");
const client = clients.find(({ name }) => name === "openapi-python-client")!;

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService([binary()]);
});
afterAll(() => service.stop());

test.skipIf(lacks_python)(
  "a generated Python client passes the type checker and makes a round trip",
  async () => {
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    expect(await attempt(client, service.url, document)).toEqual({ state: "passed" });
  },
  install_timeout_ms,
);

test.skipIf(lacks_python)(
  "a document that the generator cannot read is a failure of the first step",
  async () => {
    const outcome = await attempt(client, service.url, "{}");
    expect(outcome).toMatchObject({ state: "failed", step: "generated" });
    if (outcome.state === "failed") rmSync(outcome.folder, { recursive: true });
  },
  install_timeout_ms,
);
