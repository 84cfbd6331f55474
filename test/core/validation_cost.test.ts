/** A body with thousands of faults costs little to refuse: few errors are named, and no item after them is checked. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { ServiceError } from "../../src/core/errors.ts";
import { PostJob } from "../../src/api/jobs/jobs.ts";
import { SetWebhook } from "../../src/api/webhooks.ts";
import { limits } from "../../src/core/limits.ts";
import { checkBy } from "../../src/web/problems.ts";
import { send } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { ways, type TestService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

const items = 80_000;

/** An array of `count` items that counts the reads of its items. */
function watched(count: number, item: unknown) {
  let looked_at = 0;
  const array = new Proxy(Array<unknown>(count).fill(item), {
    get(target, property, receiver) {
      if (typeof property === "string" && /^\d+$/.test(property)) looked_at++;
      return Reflect.get(target, property, receiver) as unknown;
    },
  });
  return { array, lookedAt: () => looked_at };
}

/** The failure of a check. */
function failureOf(check: () => unknown): ServiceError {
  try {
    check();
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error("The check did not refuse the value.");
}

describe("a check by a schema", () => {
  test.each([
    ["wrong", 7],
    ["right", "naming"],
  ])("looks at a few items of a list that is too long and whose items are %s", (_what, item) => {
    const { array, lookedAt } = watched(items, item);
    const failure = failureOf(() => checkBy(PostJob, "body")({ title: "x", detail: "y", tags: array }));
    expect(failure.extra.errors).toContainEqual({ path: "/tags", message: "has more than 5 items" });
    expect(lookedAt()).toBeLessThan(100);
  });

  test("says that a list has an item twice", () => {
    const failure = failureOf(() =>
      checkBy(PostJob, "body")({ title: "x", detail: "y", tags: ["naming", "naming"] }),
    );
    expect(failure.extra.errors).toEqual([{ path: "/tags", message: "has an item twice" }]);
  });

  test("says that a list is empty", () => {
    const failure = failureOf(() => checkBy(SetWebhook, "body")({ url: "https://agent.example", kinds: [] }));
    expect(failure.extra.errors).toEqual([{ path: "/kinds", message: "must not be empty" }]);
  });

  test("names 20 faults and ends there, where the schema has no bound for a list", () => {
    const { array, lookedAt } = watched(items, 7);
    const failure = failureOf(() =>
      checkBy(Type.Object({ all: Type.Array(Type.String()) }), "body")({ all: array }),
    );
    expect(failure.extra.errors).toHaveLength(limits.field_errors_max);
    expect(lookedAt()).toBeLessThan(100);
  });
});

describe.each(ways)("a job with 80,000 wrong tags (%s)", (_way, start) => {
  let service: TestService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  const job = { title: "x", detail: "y", tags: Array<number>(items).fill(7) };

  test("is refused over HTTP with 20 errors at most, in a short answer", async () => {
    const answer = await send(
      "POST",
      `${service.url}/api/jobs`,
      { "content-type": "application/json" },
      JSON.stringify(job),
    );
    expect(answer.status).toBe(422);
    expect(answer.body.length).toBeLessThan(4_000);
    const { errors } = JSON.parse(answer.body) as { errors: { path: string }[] };
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(errors[0]!.path).toBe("/tags");
  });

  test("is refused by the tool in a short answer", async () => {
    const { pair } = await claim(service.url, "Job poster");
    const answer = await callTool(service.url, "job_post", job, pair);
    expect(answer.isError).toBe(true);
    expect(answer.content[0]!.text).toStartWith("Refused (invalid_fields):");
    expect(answer.content[0]!.text.length).toBeLessThan(4_000);
  });
});
