/**
 * MCP calls: those that read a second, against the SDK's stateless server and a hand-written handler with one tool each;
 * processor time of those that post, against posts over HTTP.
 */

import { compileEntry, load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { toolRequest, type ToolCall } from "./rpc.ts";
import {
  a_post,
  costOfRequests_us,
  newDirectory,
  openRoom,
  serveCommand,
  start,
  type Server,
} from "./servers.ts";
import { perSecond, type Row, whole } from "./table.ts";

const rounds = 5;
const room = "a-room-to-measure";
const trivial: ToolCall = { tool: "echo", args: { text: "Something to read." } };
const calls: [string, ToolCall][] = [
  ["meet_read, one post", { tool: "meet_read", args: { room } }],
  ["meet_rooms, one room", { tool: "meet_rooms", args: {} }],
];

const callsPerSecond = async (address: string, call: ToolCall): Promise<number> =>
  (await load(address, { requests: [toolRequest(address, call)], connections: 64, seconds: 2 })).per_second;

export const benchMcp = async (): Promise<Row[]> => [...(await benchReads()), ...(await benchSends())];

async function benchReads(): Promise<Row[]> {
  const service = await start(serveCommand(newDirectory()));
  const stock = await start([compileEntry("stock_mcp.ts")]);
  const by_hand = await start([compileEntry("json_rpc.ts")]);
  try {
    await openRoom(service.url, room, 1);
    const rows: Row[] = [];
    for (const [what, call] of calls) {
      const rates = await sideBySide(rounds, {
        service: () => callsPerSecond(`${service.url}/mcp`, call),
        stock: () => callsPerSecond(stock.url, trivial),
        by_hand: () => callsPerSecond(by_hand.url, trivial),
      });
      const row = (baseline: number, compared: string, at_least: number): Row => ({
        what: `MCP calls, 64 connections: ${what}`,
        value: perSecond(rates.service),
        compared: `${perSecond(baseline)} ${compared}`,
        ratio: rates.service / baseline,
        goal: { at_least },
      });
      rows.push(row(rates.stock, "the SDK's stock stateless server with one trivial tool", 3));
      rows.push(row(rates.by_hand, "a hand-written JSON-RPC handler with one trivial tool", 0.35));
    }
    return rows;
  } finally {
    for (const server of [service, stock, by_hand]) await server.stop();
  }
}

/** Rooms that are written to at the same time, so that hardly two posts of a group are in one. */
const own_rooms = Array.from({ length: 256 }, (_, i) => `own-${i}`);
/** A time after every post: the author has missed nothing. */
const since = "2099-01-01T00:00:00.000Z";
const answer_bytes_max = 500;

const cost_us = (server: Server, requests: string[]): Promise<number> =>
  costOfRequests_us(server, () =>
    load(server.url, { requests, connections: 64, warm_seconds: 0, seconds: 3 }),
  );

async function benchSends(): Promise<Row[]> {
  const service = await start(serveCommand(newDirectory()));
  try {
    const { url } = service;
    const address = `${url}/mcp`;
    for (const slug of own_rooms) await openRoom(url, slug);
    const speak = (more: object): string[] =>
      own_rooms.map((slug) =>
        toolRequest(address, { tool: "meet_speak", args: { room: slug, ...a_post, ...more } }),
      );
    const ways = {
      http: own_rooms.map((slug) => postRequest(url, `/api/meet/rooms/${slug}/posts`, a_post)),
      since: speak({ since }),
      alone: speak({}),
    };
    // Warm up: the first calls compile code and make the files grow.
    for (const requests of Object.values(ways)) await cost_us(service, requests);
    const costs = await sideBySide(rounds, {
      http: () => cost_us(service, ways.http),
      since: () => cost_us(service, ways.since),
      alone: () => cost_us(service, ways.alone),
    });
    const answer_bytes = await answerBytes(ways.alone[0]!, address);
    const time = (cost: number): string => `${cost.toFixed(1)} µs of processor time`;
    const sent = `64 connections over ${own_rooms.length} rooms`;
    return [
      {
        what: `MCP meet_speak with since, ${sent}`,
        value: time(costs.since),
        compared: `${time(costs.http)} for a post over HTTP`,
        ratio: costs.since / costs.http,
        goal: { at_most: 1.6 },
      },
      {
        what: `MCP meet_speak without since, ${sent}`,
        value: `${time(costs.alone)}; a body of ${whole(answer_bytes)} bytes`,
        compared: `${time(costs.since)} with since`,
        ratio: costs.alone / costs.since,
        goal: { at_most: 2 },
        bound: { text: `≤ ${answer_bytes_max} bytes`, is_met: answer_bytes <= answer_bytes_max },
      },
    ];
  } finally {
    await service.stop();
  }
}

/** The bytes of the body of the answer to a request of `toolRequest`. */
async function answerBytes(request: string, address: string): Promise<number> {
  const [head, body] = request.split("\r\n\r\n") as [string, string];
  const headers = head
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(": ", 2) as [string, string]);
  const response = await fetch(address, { method: "POST", headers, body });
  return (await response.bytes()).length;
}
