/** What an MCP address offers, as the transport sees it: a server for whatever needs one, answers for what does not. */

import type { McpServer, Server } from "@modelcontextprotocol/server";
import type { Caller, Credential } from "../core/caller.ts";
import type { RpcFailure } from "./errors.ts";
import type { OpenKind } from "../core/rate_limit/rate_limit.ts";

export type Sdk = typeof import("@modelcontextprotocol/server");

/** Where and by whom a request came in. */
export interface Place {
  /** The base that links begin with, without a slash at the end. */
  base: string;
  /** The path of the address: `/mcp` is the house, `/mcp/meet` the lobby, `/mcp/meet/{room}` one room. */
  address: string;
  /** The room whose address this is, or null. */
  room: string | null;
  /** Who is calling, by the request's headers or by what an argument says. Throws on a credential that is wrong. */
  caller(argument?: Credential): Promise<Caller>;
  /**
   * Counts something that the caller's address has open, until the result is called: a wait, a stream. Throws
   * `too_many_open`.
   */
  open(kind: OpenKind): () => void;
  /** Lets the request stay open although nothing is sent for a while. */
  keepOpen(): void;
  /** The same until the stream that answers the request ends; the result is to be called just before that. */
  keepStreamOpen(): () => void;
}

export interface RpcRequest {
  jsonrpc: "2.0";
  id: string | number;
  method: string;
  params?: Record<string, unknown>;
}

export interface Exchange {
  place: Place;
  /** Aborted when the caller is gone or no longer wants the answer. */
  signal: AbortSignal;
  /** Whether the answer may be waited for: in a session, what waits is streamed, so that it can be resumed. */
  may_wait: boolean;
}

/** A method that an address answers, whichever way a request for it came. */
export interface Method {
  /** Resolves to the result, or to the error that the client receives instead. */
  run(params: Record<string, unknown>, place: Place, signal: AbortSignal): Promise<object | RpcFailure>;
  /** Whether a request with these params may take its time; left out: none does. */
  waits?(params: Record<string, unknown>): boolean;
}

/** Methods by their names. */
export type Methods = Record<string, Method>;

/** What is offered at the address with this path. */
export type OfferAt = (address: string) => Offer;

export interface Offer {
  info: { name: string; title?: string; version: string };
  /** Makes the server of one exchange or one session. `placeOf` tells where a request of it came in. */
  createServer(sdk: Sdk, placeOf: (request: Request | undefined) => Place): Server | McpServer;
  /** Runs a request that needs neither a session nor a stream; null if a server has to answer it. */
  answer(message: RpcRequest, exchange: Exchange): Promise<object | RpcFailure> | null;
  /** The topic published whenever the resource changes. Throws ResourceNotFound. */
  topic(uri: string, place: Place): Promise<string>;
}

/** Completions of a beginning. */
export interface Completion {
  /** At most `completions_max` of them, the best first. */
  values: string[];
  hasMore: boolean;
}

/** By the name of what is completed. */
export type Completers = Record<string, (begun: string, place: Place) => Promise<Completion>>;
