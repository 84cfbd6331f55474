/**
 * Runs `bun test` with the given arguments on a Postgres of its own: every service under test uses a schema there. What says
 * nothing more there than on SQLite is left out.
 */

import { startPostgres } from "../test/support/postgres_server.ts";

/** By what it is about. Paths from test/. */
const left_out = {
  "the files of SQLite, or of a release": ["**/sqlite/**", "**/release/**", "all/help_examples.test.ts"],
  "Postgres itself: it starts its own servers": ["**/postgres/**"],
  "soaks, and what stores nothing in a database": [
    "{core,dev,soak,verifier}/**",
    "all/{beacon_simulation,completion,determinism,dev_process,suites,verify}.test.ts",
    "all/suites/**",
  ],
  "pages, documents, definitions, bytes and connections, wherever the texts come from": [
    "{all/browser,discovery}/**",
    "all/{base_path,conformance,idle_connections,long_waits,mcp_arguments,mcp_inspector,proxies,schemathesis}.test.ts",
    "all/stalled_readers.test.ts",
    "mcp/tool_definitions.test.ts",
    "web/{access_log,answer_memory,body_streams,compression,contract,cross_origin,failed_compression}.test.ts",
    "web/{http_rules,known_fields,odd_targets,openapi,openapi_for_generators,page_scripts,raw_http}.test.ts",
    "web/{rendered_texts,request_ids,trusted_proxies,unknown_parameters}.test.ts",
  ],
  "programs that send the calls that other tests send": [
    "{all/oauth,all/python,all/webhooks,bridge,cli,client}/**",
    "all/{client_example,compose_and_action,examples,mcp_stdio,mcp_task,members_secrecy,signals_under_load}.test.ts",
    "all/{bridge_cuts,channel_kills,inbox_hook,lease_run,readme,setup,system_failures,tour}.test.ts",
    "all/{wake_kills,wake_reached,watch_kills,webhook_kills}.test.ts",
    "scenarios/{plays,token_budgets,turns}.test.ts",
  ],
};

const server = await startPostgres();
const ignored = Object.values(left_out)
  .flat()
  .flatMap((path) => ["--path-ignore-patterns", `test/${path}`]);
const tests = Bun.spawn(["bun", "test", ...ignored, ...process.argv.slice(2)], {
  env: { ...process.env, TEST_DATABASE: server.url },
  stdio: ["inherit", "inherit", "inherit"],
});
process.exitCode = await tests.exited;
await server.stop();
