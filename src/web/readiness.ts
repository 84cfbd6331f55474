/** GET /healthz and GET /readyz: whether the service runs, and whether everything in it works. */

import { Type, type Static } from "@sinclair/typebox";
import type { Check } from "../core/storage.ts";
import { sendJson } from "./responses.ts";
import { doc } from "./openapi/describe.ts";

const Readiness = Type.Object(
  {
    status: Type.Union([Type.Literal("ready"), Type.Literal("unavailable")], {
      description: "unavailable: a part of the service fails.",
    }),
    checks: Type.Record(
      Type.String(),
      Type.Object({
        status: Type.Union(
          ["ok", "running", "unknown", "failing"].map((status) => Type.Literal(status)),
          { description: "running: being looked at; unknown: could not be looked at." },
        ),
        code: Type.Optional(
          Type.String({
            description: "The code of the failure; of writes, disk and database the one that calls get.",
          }),
        ),
      }),
      {
        description:
          "One for each part: writes, disk, database, log (the write-ahead log), clock. More may follow.",
      },
    ),
  },
  { title: "Readiness", description: "Whether everything in the service works." },
);

/** Seconds after which to ask again, in Retry-After. */
const retry_after_seconds = 5;

/** The answer for `checks`: 503 if one of them fails. */
export function readinessResponse(checks: Record<string, Check>): Response {
  const is_ready = Object.values(checks).every(({ status }) => status !== "failing");
  const body = { status: is_ready ? "ready" : "unavailable", checks } satisfies Static<typeof Readiness>;
  return is_ready
    ? sendJson(body, 200)
    : sendJson(body, 503, null, { "retry-after": String(retry_after_seconds) });
}

const Health = Type.Object(
  { status: Type.Literal("ok", { description: "It runs." }) },
  { title: "Health", description: "The service runs." },
);

export const healthz_doc = doc({
  summary: "Whether the service runs",
  tag: "service",
  operation_id: "checkHealth",
  answers: { 200: { description: "It does.", schema: Health } },
});

export const readyz_doc = doc({
  summary: "Whether the service works",
  description:
    "Looks at most once a second whether writes reach the disk. Reading may work while the service is unavailable.",
  tag: "service",
  operation_id: "checkReadiness",
  answers: {
    200: { description: "Everything works.", schema: Readiness },
    503: { description: "Something fails: its code says what calls meet.", schema: Readiness },
  },
});
