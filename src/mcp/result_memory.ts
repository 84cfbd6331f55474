/** The memory of large results. The answer may be a stream that was returned before the call was made, so the call frees it itself. */

import { whenReady, type Ready } from "../core/ready.ts";
import type { RpcFailure } from "./errors.ts";
import type { Method, MethodCall } from "./types.ts";

type Result = object | RpcFailure;

/** Runs `method`, and frees what the call has reserved when it ends. */
export function runFreeing(
  method: Method,
  params: Record<string, unknown>,
  call: Omit<MethodCall, "reserve">,
): Ready<Result> {
  let held: (() => void)[] | undefined;
  const reserve = (bytes: number): Ready<() => void> =>
    whenReady(call.place.reserve(bytes), (free) => {
      (held ??= []).push(free);
      return free;
    });
  const freeAll = (): void => {
    for (const free of held ?? []) free();
  };
  async function freedAfter(running: Promise<Result>): Promise<Result> {
    try {
      return await running;
    } finally {
      freeAll();
    }
  }
  const { place, signal, notify } = call;
  const result = method.run(params, { place, signal, notify, reserve });
  if (result instanceof Promise) return freedAfter(result);
  freeAll();
  return result;
}
