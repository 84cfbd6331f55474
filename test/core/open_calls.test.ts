/** Open calls that are refused: also by a change that they have waited for themselves. */

import { expect, test } from "bun:test";
import { ServiceError } from "../../src/core/errors.ts";
import { OpenCalls, type OpenCaller } from "../../src/core/open_calls.ts";
import { unknownCredential } from "../../src/names/authentication.ts";

const callerNamed = (name: string): OpenCaller => ({
  address: "127.0.0.1",
  name,
  session: null,
  grant: null,
});
const refusesAda = ({ name }: OpenCaller): ServiceError | null =>
  name === "ada" ? unknownCredential() : null;
const outcomeOf = (checking: Promise<void>): Promise<string> =>
  checking.then(
    () => "answered",
    (error: ServiceError) => error.code,
  );

test("no call is answered before it is known whom a change refuses", async () => {
  const calls = new OpenCalls();
  const [ada, bob] = [calls.add(callerNamed("ada"), () => {}), calls.add(callerNamed("bob"), () => {})];
  const { promise, resolve } = Promise.withResolvers<typeof refusesAda>();
  const refusing = calls.refuseLater(promise);
  const outcomes = Promise.all([ada, bob].map((call) => outcomeOf(call.check())));
  resolve(refusesAda);
  expect(await outcomes).toEqual(["unknown_credential", "answered"]);
  await refusing;
  expect([ada.signal.aborted, bob.signal.aborted]).toEqual([true, false]);
});

test("a change about which nothing can be found out ends every call", async () => {
  const calls = new OpenCalls();
  const ada = calls.add(callerNamed("ada"), () => {});
  const refusing = calls.refuseLater(Promise.reject(new Error("The database does not answer.")));
  const outcome = outcomeOf(ada.check());
  expect(await refusing.catch((error: Error) => error.message)).toBe("The database does not answer.");
  expect(await outcome).toBe("storage_busy");
  expect(ada.signal.aborted).toBe(true);
});
