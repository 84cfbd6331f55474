/** Makes calls of tools repeatable: a tool that changes something takes the argument `once`, and does equal calls with it once. */

import { replacementOf } from "../mcp/former_tools.ts";
import { isObject } from "../mcp/protocol.ts";
import type { BridgeDeps } from "./deps.ts";
import type { Delivery } from "./delivery.ts";
import { paramsOf, Refused, type Message, type Request } from "./messages.ts";
import type { Wire } from "./wire.ts";

const once_bytes = 16;

export class Repeatable {
  /** The tools that take `once`. */
  #tools: Promise<Set<unknown>> | undefined;
  #outages = 0;

  constructor(
    private readonly delivery: Delivery,
    private readonly wire: Wire,
    private readonly deps: BridgeDeps,
    /** Aborts with the bridge. */
    private readonly signal: AbortSignal,
  ) {}

  /** The call with a `once` of its own, if its tool takes one and it has none. Throws `Refused`. */
  async of(call: Request): Promise<Request> {
    const params = paramsOf(call);
    const args = params.arguments ?? {};
    if (!isObject(args) || (args.once ?? null) !== null) return call;
    // After an outage another version of the service may be there.
    if (this.#outages !== this.wire.outages) this.#tools = undefined;
    this.#outages = this.wire.outages;
    this.#tools ??= this.#read(call);
    const tools = await this.#tools.catch((error: unknown) => {
      this.#tools = undefined;
      throw error;
    });
    // A former tool is not listed. It takes `once` if the tool that replaces it does.
    if (!tools.has(params.name) && !tools.has(replacementOf(params.name))) return call;
    const once = this.deps.random.bytes(once_bytes).toHex();
    return { ...call, params: { ...params, arguments: { ...args, once } } };
  }

  async #read({ jsonrpc, params }: Request): Promise<Set<unknown>> {
    const { _meta: meta } = paramsOf({ params });
    const request = {
      jsonrpc,
      id: 0,
      method: "tools/list",
      params: meta === undefined ? {} : { _meta: meta },
    };
    const { answer } = await this.delivery.deliver(request, this.signal);
    if ("error" in answer) throw new Refused(answer);
    const { tools } = answer.result as { tools: Message[] };
    return new Set(tools.filter(takesOnce).map(({ name }) => name));
  }
}

const takesOnce = ({ inputSchema: schema }: Message): boolean =>
  isObject(schema) && isObject(schema.properties) && "once" in schema.properties;
