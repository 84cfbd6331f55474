/** Types that the transport, the endpoints and the features share. */

import type { McpServer, Server } from "@modelcontextprotocol/server";
import type { Caller, Credential } from "../core/caller.ts";
import type { Ready } from "../core/ready.ts";
import type { RpcFailure } from "./errors.ts";
import type { OpenKind } from "../core/rate_limit/rate_limit.ts";
import type { OpenCall } from "../core/open_calls.ts";
import type { Followed } from "./subscriptions/followed.ts";

export type Sdk = typeof import("@modelcontextprotocol/server");

/** The address and the caller of a request. */
export interface Place {
  /** The id of the HTTP request. */
  request_id: string;
  /** The base URL of links, without a slash at the end. */
  base: string;
  /** The path of the endpoint: `/mcp` and `/mcp/account` have all features, `/mcp/meet` rooms, `/mcp/meet/{room}` one room. */
  address: string;
  /** The room whose address this is, or null. */
  room: string | null;
  /**
   * The caller by the headers of the request, or by the credential in an argument. Throws `unknown_credential`, and
   * `credential_required` for a visitor, who may only see what an address offers.
   */
  caller(argument?: Credential): Ready<Caller>;
  /** Whether the caller by the headers is no visitor. Throws `unknown_credential`. */
  mayRead(): Ready<boolean>;
  /**
   * Counts a wait or a stream of the caller as open until its `close`. `left`: aborted when the caller has left. Throws
   * `too_many_open`.
   */
  open(kind: OpenKind, caller: Caller, left?: AbortSignal): OpenCall;
  /** Whether the client takes an event stream as the answer. */
  takes_streams: boolean;
  /** The same place for a client that takes one. */
  takingStreams(): Place;
  /** Reserves memory for an answer of about `bytes`: see `AnswerMemory`. Throws `answers_busy`. */
  reserve(bytes: number): Ready<() => void>;
  /** Keeps the request open while nothing is sent. */
  keepOpen(): void;
  /** Keeps the request open until its stream ends. Call the result just before that. */
  keepStreamOpen(): () => void;
}

export interface RpcRequest {
  jsonrpc: "2.0";
  id: string | number;
  method: string;
  params?: Record<string, unknown>;
}

/** Sends a notification to the client while its call is under way. */
export type Notify = (notification: { method: string; params: Record<string, unknown> }) => void;

interface Exchange {
  place: Place;
  /** Aborted when the caller has left or cancels the request. Only a call that waits needs it: making it is costly. */
  signal: () => AbortSignal;
  /** Whether the call may wait. In a session, calls that wait are streamed, so that they can be resumed. */
  may_wait: boolean;
  /** Absent if the client can get nothing before the answer. */
  notify?: Notify | undefined;
}

/** A call of a method. */
export interface MethodCall extends Pick<Exchange, "place" | "signal" | "notify"> {
  /** Reserves memory for a result until the call has ended: see `Place.reserve`. */
  reserve: Place["reserve"];
}

/** A method of an endpoint. */
export interface Method {
  /** Returns the result, or the error that the client receives instead. Rejects, but never throws. */
  run(params: Record<string, unknown>, call: MethodCall): Ready<object | RpcFailure>;
  /** Whether a request with these params may wait. Default: no. */
  waits?(params: Record<string, unknown>): boolean;
  /** The params of a request that may wait in a form that may be sent again; null if there is none. */
  repeatable?(
    params: Record<string, unknown>,
    place: Place,
    once: string,
  ): Promise<Record<string, unknown> | null>;
}

/** Methods by their names. */
export type Methods = Record<string, Method>;

/** The endpoint at a path. */
export type EndpointAt = (address: string) => Endpoint;

export interface Endpoint {
  info: { name: string; title?: string; version: string };
  /**
   * Creates the server of one exchange or one session. `placeOf` returns the place of a request to it. `more`: the methods that it
   * has besides those of the endpoint.
   */
  createServer(
    sdk: Sdk,
    placeOf: (request: Request | undefined) => Place,
    more?: Methods,
  ): Server | McpServer;
  /** Whether a request may wait. */
  waits(message: RpcRequest): boolean;
  /** Runs a request that needs neither a session nor a stream; null if a server has to answer it. */
  answer(message: RpcRequest, exchange: Exchange): Ready<object | RpcFailure> | null;
  /**
   * A call that may wait in a form that may be sent again, which changes nothing more and misses nothing. `once`: an idempotency
   * key for it. Null if it does not wait, or cannot succeed.
   */
  repeatable(message: RpcRequest, place: Place, once: string): Promise<RpcRequest | null>;
  /** The topic published whenever the resource changes, and who reads it. Throws ResourceNotFound. */
  follow(uri: string, place: Place): Promise<Followed>;
}

/** Completions of a prefix. */
export interface Completion {
  /** At most `completions_max` values, the best first. */
  values: string[];
  hasMore: boolean;
}

/** Completers by the name of the argument or variable. */
export type Completers = Record<string, (begun: string, place: Place) => Promise<Completion>>;
