/** Runs `bun test` with the given arguments on a Postgres of its own: every service under test uses a schema there. */

import { startPostgres } from "../test/support/postgres_server.ts";

const server = await startPostgres();
const tests = Bun.spawn(["bun", "test", ...process.argv.slice(2)], {
  env: { ...process.env, TEST_DATABASE: server.url },
  stdio: ["inherit", "inherit", "inherit"],
});
process.exitCode = await tests.exited;
await server.stop();
