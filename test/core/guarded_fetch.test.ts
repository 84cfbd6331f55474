/** Requests to addresses that strangers name, over real sockets. */

import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  createGuardedFetch,
  FetchFailure,
  type FetchFault,
  type GuardedFetch,
  type GuardedRequest,
} from "../../src/core/guarded_fetch.ts";
import { makeCertificate } from "../support/certificates.ts";
import { flood } from "../support/flood.ts";
import { freePort } from "../support/free_port.ts";
import { startFullPeer } from "../support/full_peer.ts";
import { outcomeOf, type Outcome } from "../support/guarded_requests.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const directory = newDirectory();
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  removeDirectory(directory);
});

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

interface Peer {
  port: number;
  /** What was sent to it, by connection. */
  requests: string[];
  /** Resolves when every connection so far is closed. */
  closed(): Promise<unknown>;
}

/** Starts a server on this machine that treats each connection as `serve` says once it gets a request. */
function startPeer(
  serve: (socket: Socket) => void = (socket) => socket.end(ok),
  server = createServer(),
  host = "127.0.0.1",
): Promise<Peer> {
  const requests: string[] = [];
  const closing: Promise<void>[] = [];
  const onConnection = (socket: Socket) => {
    const at = requests.push("") - 1;
    closing.push(new Promise((resolve) => socket.on("close", () => resolve())));
    socket.on("error", () => {});
    socket.once("data", () => serve(socket));
    socket.on("data", (bytes) => void (requests[at] += bytes.toString()));
  };
  server.on("secureConnection", onConnection);
  if (!("setSecureContext" in server)) server.on("connection", onConnection);
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number };
      resolve({ port, requests, closed: () => Promise.all(closing) });
    });
  });
}

/** A guarded fetch for which names resolve to `addresses`, and which may call this machine. */
const fetchAt = (...addresses: string[]): GuardedFetch =>
  createGuardedFetch({ allow: ["127.0.0.0/8"], lookup: () => Promise.resolve(addresses) });

const bounds = { answer_bytes_max: 8192, timeout_seconds: 60 };

/** Sends a request to a server that treats the connection as `serve` says. */
async function sent(serve: (socket: Socket) => void, request: Partial<GuardedRequest> = {}) {
  const peer = await startPeer(serve);
  const answer = fetchAt("127.0.0.1")(`http://client.example:${peer.port}/`, { ...bounds, ...request });
  return { answer, peer };
}

/** The fault with which `job` fails; null if it does not. */
const faultOf = (job: Promise<unknown>): Promise<FetchFault | null> =>
  job.then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(FetchFailure);
      const { fault, message, cause } = error as FetchFailure;
      expect({ message, cause }).toEqual({ message: fault, cause: undefined });
      return fault;
    },
  );

describe("the address", () => {
  const resolved: string[] = [];
  const guardedFetch = createGuardedFetch({
    allow: ["127.0.0.0/8"],
    lookup: (host) => {
      resolved.push(host);
      return Promise.resolve(["10.0.0.1"]);
    },
  });

  test.each([
    ...[
      "",
      "client.example",
      "//client.example/",
      "/path",
      "https:",
      "https:/client.example/",
      "https:///client.example/",
    ],
    ...[
      "https://",
      "https:client.example",
      "ftp://client.example/",
      "file:///etc/passwd",
      "data:text/plain,a",
    ],
    ...[
      "javascript:1",
      "blob:https://client.example/a",
      "s3://bucket/key",
      "ws://client.example/",
      "unix:///run/a.sock",
    ],
    ...["https://user@client.example/", "https://user:pass@client.example/", "https://@client.example/"],
    ...["https://:@client.example/", "https://a@b@client.example/", "https://client.example@10.0.0.1/"],
    ...[
      "https://client.example/#",
      "https://client.example/#a",
      "https://client.example#a",
      "https://client.example/?a#b",
    ],
    ...["https://client.example:0/", "https://client.example:65536/", "https://client.example:-1/"],
    ...[
      "https://client.example:a/",
      "https://client.example:443:443/",
      "https://[::1/",
      "https://::1/",
      "https://[::1%25lo]/",
    ],
    ...["https://client.example./", "https://localhost./", "https://a..b/", "https://.a/", "https://a;b/"],
    ...[
      " https://client.example/",
      "https://client.example/ ",
      "https://client.example/a b",
      "ht\ntps://client.example/",
    ],
    ...[
      "https://client.\texample/",
      "https://client.example\\@10.0.0.1/",
      "https:\\\\client.example/",
      "https://client.example\0/",
    ],
    ...["https://client.example/\u0085", "https://client.example/\u2028", "https://client%00.example/"],
    ...[
      "https://client%2eexample%2f/",
      "https://256.1.1.1/",
      "https://1.2.3.4.5/",
      "https://0x100000000/",
      "https://1.2.3.09/",
    ],
    ...["https://a b/", "https://a<b/", "https://a^b/", "https://a|b/", "https://xn--a/", "https://*/"],
  ])("%j is invalid, and its host is not looked up", async (url) => {
    expect(await faultOf(guardedFetch(url, bounds))).toBe("invalid_address");
    expect(resolved).toEqual([]);
  });

  test.each([
    ...[
      "https://10.0.0.1/",
      "https://10.1/",
      "https://167772161/",
      "https://0xa000001/",
      "https://012.0.0.1/",
    ],
    ...[
      "https://0xA.0x0.0x0.0x1/",
      "https://012.0x0.1/",
      "https://①⓪.0.0.1/",
      "https://10。0。0。1/",
      "https://%31%30.0.0.1/",
    ],
    ...[
      "https://[::1]/",
      "https://[0:0:0:0:0:0:0:1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://[::ffff:a00:1]/",
    ],
    ...[
      "https://[::10.0.0.1]/",
      "https://[64:ff9b::a00:1]/",
      "https://[fd00:ec2::254]/",
      "https://[fe80::1]/",
    ],
    ...[
      "https://0/",
      "https://0.0.0.0/",
      "https://[::]/",
      "https://169.254.169.254/latest/",
      "https://2852039166/",
    ],
    ...[
      "https://0251.0376.0251.0376/",
      "https://4294967295/",
      "https://100.100.100.200/",
      "https://224.0.0.1/",
    ],
    ...["HTTPS://10.0.0.1", "https://10.0.0.1?a", "https://10.0.0.1:65535/@", "https://10.0.0.1/?a=@"],
  ])("%j is not public, and nothing is looked up", async (url) => {
    expect(await faultOf(guardedFetch(url, bounds))).toBe("not_public");
    expect(resolved).toEqual([]);
  });

  test.each([
    ["https://client.example", "client.example"],
    ["https://CLIENT.Example/", "client.example"],
    ["https://client.example:8443/a?b=@&c", "client.example"],
    ["https://localhost/", "localhost"],
    ["https://metadata.google.internal/", "metadata.google.internal"],
    ["https://ｃlient.example/", "client.example"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://127.0.0.1.client.example/", "127.0.0.1.client.example"],
    ["https://a_b.example/", "a_b.example"],
  ])("%j has the host %p, which is refused by its address", async (url, host) => {
    expect(await faultOf(guardedFetch(url, bounds))).toBe("not_public");
    expect(resolved.splice(0)).toEqual([host]);
  });

  test("with http is refused, unless every address of it is allowed", async () => {
    const peer = await startPeer();
    const url = `http://client.example:${peer.port}/`;
    const at = (allow: string[], addresses: string[]) =>
      faultOf(createGuardedFetch({ allow, lookup: () => Promise.resolve(addresses) })(url, bounds));
    expect(await at([], ["127.0.0.1"])).toBe("not_https");
    expect(await at(["10.0.0.0/8"], ["8.8.8.8"])).toBe("not_https");
    expect(await at(["127.0.0.0/8"], ["127.0.0.1", "8.8.8.8"])).toBe("not_https");
    expect(await at(["10.0.0.0/8"], ["127.0.0.1"])).toBe("not_public");
    expect(peer.requests).toEqual([]);
    expect(await at(["127.0.0.0/8"], ["127.0.0.1"])).toBeNull();
  });
});

describe("the addresses of a name", () => {
  test.each<[string[], FetchFault]>([
    [[], "no_such_host"],
    [["8.8.8.8", "10.0.0.1"], "not_public"],
    [["8.8.8.8", "2606:4700::1111", "fe80::1"], "not_public"],
    [["127.0.0.1", "::1"], "not_public"],
    [["127.0.0.1", "169.254.169.254"], "not_public"],
    [["127.0.0.1", "fe80::1%lo"], "not_public"],
    [["127.0.0.1", "nonsense"], "not_public"],
  ])("%j are refused as a whole", async (addresses, fault) => {
    const peer = await startPeer();
    expect(await faultOf(fetchAt(...addresses)(`https://client.example:${peer.port}/`, bounds))).toBe(fault);
    expect(peer.requests).toEqual([]);
  });

  test("cannot be found if the lookup fails", async () => {
    const lookup = () => Promise.reject(new Error("SERVFAIL"));
    const guardedFetch = createGuardedFetch({ allow: [], lookup });
    expect(await faultOf(guardedFetch("https://client.example/", bounds))).toBe("no_such_host");
    const by_system = createGuardedFetch({ allow: [] });
    expect(await faultOf(by_system("https://no-such-host.invalid/", bounds))).toBe("no_such_host");
    expect(await faultOf(by_system("https://localhost/", bounds))).toBe("not_public");
  });

  test("are checked again for each request, so that a name cannot change to a private one", async () => {
    const peer = await startPeer();
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    let lookups = 0;
    const lookup = () => Promise.resolve(answers[lookups++]!);
    const guardedFetch = createGuardedFetch({ allow: ["127.0.0.0/8"], lookup });
    const url = `http://client.example:${peer.port}/`;
    expect((await guardedFetch(url, bounds)).status).toBe(200);
    expect(lookups).toBe(1);
    expect(await faultOf(guardedFetch(url, bounds))).toBe("not_public");
    expect(lookups).toBe(2);
    expect(peer.requests.length).toBe(1);
  });

  test("are tried in turn while they refuse connections, four at most", async () => {
    const peer = await startPeer();
    const refusing = ["127.0.0.3", "127.0.0.4"];
    const allow = ["127.0.0.0/8", "::1/128"];
    const at = (...addresses: string[]) =>
      createGuardedFetch({ allow, lookup: () => Promise.resolve(addresses) })(
        `http://client.example:${peer.port}/`,
        bounds,
      );
    expect((await at("::1", ...refusing, "127.0.0.1")).status).toBe(200);
    expect(await faultOf(at("::1", ...refusing))).toBe("unreachable");
    expect(await faultOf(at(...refusing, "127.0.0.5", "127.0.0.6", "127.0.0.1"))).toBe("unreachable");
  });
});

describe("the request", () => {
  const send = async (request: Partial<GuardedRequest>, path = "/") => {
    const peer = await startPeer();
    await fetchAt("127.0.0.1")(`http://client.example:${peer.port}${path}`, { ...bounds, ...request });
    const [head = "", body] = peer.requests[0]!.split("\r\n\r\n");
    const [line, ...lines] = head.split("\r\n");
    const headers = lines.map((text) => text.replace(String(peer.port), "PORT").toLowerCase()).sort();
    return { line, headers, body, requests: peer.requests };
  };

  test("has the name as its host, and no header that says more about the service", async () => {
    const { line, headers } = await send({}, "/a/../b?c=d");
    expect(line).toBe("GET /b?c=d HTTP/1.1");
    expect(headers).toEqual([
      "accept-encoding: identity",
      "accept: */*",
      "host: client.example:port",
      "user-agent: wharf",
    ]);
  });

  test("has the method, the headers and the body that are given, but no other host or encoding", async () => {
    const { line, headers, body } = await send({
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Encoding": "gzip", Host: "other.example" },
      body: '{"a":1}',
    });
    expect(line).toBe("POST / HTTP/1.1");
    expect(headers).toContain("content-type: application/json");
    expect(headers).toContain("accept-encoding: identity");
    expect(headers).toContain("host: client.example:port");
    expect(headers.join("\n")).not.toMatch(/gzip|other/);
    expect(body).toBe('{"a":1}');
  });

  test("has a connection of its own and no cookie of an earlier answer", async () => {
    const peer = await startPeer((socket) => {
      socket.write(ok.replace("\r\n\r\n", "\r\nSet-Cookie: a=b\r\nConnection: keep-alive\r\n\r\n"));
    });
    const url = `http://client.example:${peer.port}/`;
    await fetchAt("127.0.0.1")(url, bounds);
    await peer.closed();
    await fetchAt("127.0.0.1")(url, bounds);
    expect(peer.requests.length).toBe(2);
    expect(peer.requests[1]).not.toMatch(/cookie/i);
  });
});

describe("the answer", () => {
  const answered = (serve: string | ((socket: Socket) => void), request?: Partial<GuardedRequest>) =>
    sent(typeof serve === "string" ? (socket) => void socket.end(serve) : serve, request);

  test.each([301, 302, 303, 307, 308, 300, 304])(
    "with status %d is a failure, and is not followed",
    async (status) => {
      const target = await startPeer();
      const { answer } = await answered(
        `HTTP/1.1 ${status} Moved\r\nLocation: http://127.0.0.1:${target.port}/\r\nContent-Length: 0\r\n\r\n`,
      );
      expect(await faultOf(answer)).toBe("redirect");
      expect(target.requests).toEqual([]);
    },
  );

  test("of a redirect is not read, and the connection is closed", async () => {
    const head = "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 999999999\r\n\r\n";
    const { answer, peer } = await answered((socket) => void socket.write(head));
    expect(await faultOf(answer)).toBe("redirect");
    await peer.closed();
  });

  test.each([200, 204, 400, 404, 410, 500, 503])("with status %d is returned", async (status) => {
    const { answer } = await answered(`HTTP/1.1 ${status} Some\r\nX-A: b\r\nContent-Length: 0\r\n\r\n`);
    expect([(await answer).status, (await answer).headers.get("x-a")]).toEqual([status, "b"]);
  });

  test("has a body of the maximum size, also in pieces", async () => {
    const { answer } = await answered(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n",
      {
        answer_bytes_max: 3,
      },
    );
    expect(new TextDecoder().decode((await answer).body)).toBe("ok!");
  });

  /** Writes `bytes` again and again until the connection is closed. */
  test.each<[string, string, string]>([
    ["of a declared length", "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n", "a".repeat(65_536)],
    [
      "of endless chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      `1000\r\n${"a".repeat(4096)}\r\n`,
    ],
    ["until the connection ends", "HTTP/1.1 200 OK\r\n\r\n", "a".repeat(65_536)],
  ])(
    "with a body that is too large, %s, is cut off, and the connection is closed",
    async (_title, head, bytes) => {
      const { answer, peer } = await answered((socket) => {
        socket.write(head);
        flood(socket, bytes);
      });
      expect(await faultOf(answer)).toBe("too_large");
      await peer.closed();
    },
  );

  test("with a body one byte too large is refused", async () => {
    expect(await faultOf((await answered(ok, { answer_bytes_max: 1 })).answer)).toBe("too_large");
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])("that is compressed with %s stays so, however large it would become", async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(7_000_000));
    expect(bomb.length).toBeLessThan(bounds.answer_bytes_max);
    const { answer } = await answered((socket) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}\r\n\r\n`;
      socket.write(head);
      socket.end(bomb);
    });
    expect(Buffer.from((await answer).body).equals(bomb)).toBe(true);
  });

  test.each<[string, string, FetchFault]>([
    ["text that is not HTTP", "220 mail.example ESMTP\r\n\r\n", "invalid_answer"],
    ["an impossible status", "HTTP/1.1 999 Some\r\nContent-Length: 0\r\n\r\n", "invalid_answer"],
    ["another protocol", "HTTP/1.1 101 Some\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n", "invalid_answer"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok", "invalid_answer"],
    [
      "a chunk without length",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "invalid_answer",
    ],
    ["headers of megabytes", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(5_000_000)}\r\n\r\n`, "invalid_answer"],
    ["nothing", "", "unreachable"],
    ["less than it declares", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok", "unreachable"],
  ])("that is %s is a failure", async (_title, text, fault) => {
    expect(await faultOf((await answered(text)).answer)).toBe(fault);
  });

  const soon = { timeout_seconds: 0.2 };
  test.each<[string, (socket: Socket) => void]>([
    ["never begins", () => {}],
    ["never ends its headers", (socket) => void socket.write("HTTP/1.1 200 OK\r\nX-A: ")],
    ["never ends its body", (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok")],
    [
      "sends its headers byte by byte",
      (socket) => {
        const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write("X")), 20);
        socket.write("HTTP/1.1 200 OK\r\n");
      },
    ],
    [
      "sends its body byte by byte",
      (socket) => {
        const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write("a")), 20);
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
      },
    ],
  ])("that %s is too late, and the connection is closed", async (_title, serve) => {
    const { answer, peer } = await answered(serve, soon);
    expect(await faultOf(answer)).toBe("timeout");
    await peer.closed();
  });

  test("is too late if the name is not resolved in time", async () => {
    const guardedFetch = createGuardedFetch({ allow: [], lookup: () => new Promise(() => {}) });
    expect(await faultOf(guardedFetch("https://client.example/", { ...bounds, ...soon }))).toBe("timeout");
  });
});

/** Calls `has_come` when the head of an answer has come, before anything is done with it. */
function watchHeads(has_come: () => void) {
  const call = fetch;
  const watched = async (...args: Parameters<typeof fetch>) => {
    const response = await call(...args);
    has_come();
    return response;
  };
  return spyOn(globalThis, "fetch").mockImplementation(watched as typeof fetch);
}

describe("an answer that is discarded", () => {
  const discarded = (serve: (socket: Socket) => void) =>
    sent(serve, { answer: "discarded", answer_bytes_max: 4096 });
  const hasSucceeded = async ({ answer, peer }: Awaited<ReturnType<typeof discarded>>) => {
    const { status, body } = await answer;
    expect({ status, length: body.length }).toEqual({ status: 200, length: 0 });
    await peer.closed();
  };
  const bomb = gzipSync(Buffer.alloc(50_000_000));

  test.each<[string, (socket: Socket) => void]>([
    ["is empty", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")],
    ["is short", (socket) => socket.end(ok)],
    [
      "declares too much",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n");
        flood(socket, "a".repeat(65_536));
      },
    ],
    [
      "has endless chunks",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        flood(socket, `1000\r\n${"a".repeat(4096)}\r\n`);
      },
    ],
    [
      "ends with the connection, after too much",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        flood(socket, "a".repeat(65_536));
      },
    ],
    ["ends too early", (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok")],
    [
      "is reset",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok", () => socket.resetAndDestroy());
      },
    ],
    [
      "has a chunk without length",
      (socket) => {
        socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
      },
    ],
    [
      "is compressed to little",
      (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
        socket.end(bomb);
      },
    ],
    [
      "says that it is compressed and is not",
      (socket) => {
        socket.end("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nok");
      },
    ],
  ])("and %s is a success: its status is enough, and the connection is closed", async (_title, serve) => {
    await hasSucceeded(await discarded(serve));
  });

  test.each<[string, (socket: Socket) => void]>([
    ["never comes", (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")],
    [
      "comes byte by byte",
      (socket) => {
        const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write("a")), 20);
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
      },
    ],
  ])("and %s is a success when the time is over, and the connection is closed", async (_title, serve) => {
    const late = new AbortController();
    using limits = spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
    using heads = watchHeads(() => setImmediate(() => late.abort()));
    await hasSucceeded(await discarded(serve));
    expect([limits, heads].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  test.each([
    ["HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", "redirect"],
    ["HTTP/1.1 999 Some\r\nContent-Length: 0\r\n\r\n", "invalid_answer"],
    ["220 mail.example ESMTP\r\n\r\n", "invalid_answer"],
    ["", "unreachable"],
  ] satisfies [string, FetchFault][])(
    "that begins with %j is a failure all the same",
    async (text, fault) => {
      expect(await faultOf((await discarded((socket) => void socket.end(text))).answer)).toBe(fault);
    },
  );

  test("is read no further than to its bound", async () => {
    let sender: Socket | undefined;
    const { answer, peer } = await discarded((socket) => {
      sender = socket;
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      flood(socket, "a".repeat(65_536));
    });
    expect((await answer).status).toBe(200);
    await peer.closed();
    // The buffers of two sockets, and no more.
    expect(sender!.bytesWritten).toBeLessThan(30_000_000);
  });
});

describe("a request that its caller ends", () => {
  test("before it begins looks up nothing", async () => {
    let lookups = 0;
    const lookup = () => Promise.resolve([`127.0.0.${++lookups}`]);
    const guardedFetch = createGuardedFetch({ allow: ["127.0.0.0/8"], lookup });
    const signal = AbortSignal.abort();
    expect(await faultOf(guardedFetch("http://client.example/", { ...bounds, signal }))).toBe("ended");
    expect(lookups).toBe(0);
  });

  test("during the look-up connects to nothing, also when the look-up ends later", async () => {
    const peer = await startPeer();
    const ending = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const guardedFetch = createGuardedFetch({ allow: ["127.0.0.0/8"], lookup: () => promise });
    const answer = guardedFetch(`http://client.example:${peer.port}/`, { ...bounds, signal: ending.signal });
    ending.abort();
    expect(await faultOf(answer)).toBe("ended");
    resolve(["127.0.0.1"]);
    await fetchAt("127.0.0.1")(`http://client.example:${peer.port}/`, bounds);
    expect(peer.requests.length).toBe(1);
  });

  const phases: [string, (socket: Socket) => void][] = [
    ["while the receiver does not answer", () => {}],
    ["within the headers", (socket) => void socket.write("HTTP/1.1 200 OK\r\nX-A: ")],
    ["within the body", (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok")],
  ];
  test.each(phases)("%s fails so, and the connection is closed", async (_title, serve) => {
    const ending = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const served = (socket: Socket) => {
      serve(socket);
      resolve();
    };
    const { answer, peer } = await sent(served, { signal: ending.signal });
    await promise;
    ending.abort();
    expect(await faultOf(answer)).toBe("ended");
    await peer.closed();
  });

  test("within a body that is discarded has succeeded, and the connection is closed", async () => {
    const ending = new AbortController();
    using heads = watchHeads(() => setImmediate(() => ending.abort()));
    const { answer, peer } = await sent(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok"),
      { answer: "discarded", signal: ending.signal },
    );
    expect(await answer.then(({ status }) => status)).toBe(200);
    expect(heads).toHaveBeenCalledTimes(1);
    await peer.closed();
  });

  test.skipIf(lacks("an ended connection attempt", "python3"))(
    "while it connects fails so, and nothing is sent when the receiver accepts connections later",
    async () => {
      const full = await startFullPeer();
      const ending = new AbortController();
      const answer = fetchAt("127.0.0.1")(`http://client.example:${full.port}/`, {
        ...bounds,
        signal: ending.signal,
      });
      await full.waiting();
      ending.abort();
      expect(await faultOf(answer)).toBe("ended");
      expect(await full.received()).toEqual([]);
    },
  );
});

const unusable = lacks("certificates of called hosts", "openssl");
describe.skipIf(unusable)("with TLS", () => {
  const program = join(import.meta.dir, "../support/guarded_requests.ts");
  const authority = unusable ? null : makeCertificate(directory, "authority", 90, "DNS:authority.example");
  const trusted = { NODE_EXTRA_CA_CERTS: authority?.cert ?? "" };
  const certificate = (name: string, hosts: string) =>
    makeCertificate(directory, name, 90, hosts, authority!);

  /** A server with a certificate. `names`: the server names that its connections requested. */
  async function startTlsPeer({ cert, key }: { cert: string; key: string }) {
    const names: unknown[] = [];
    const [cert_pem, key_pem] = await Promise.all([cert, key].map((path) => Bun.file(path).text()));
    const server = createTlsServer({ cert: cert_pem, key: key_pem });
    server.on("secureConnection", (socket: TLSSocket) => names.push(socket.servername));
    server.on("tlsClientError", () => {});
    return { ...(await startPeer(undefined, server)), names };
  }

  const executable = join(directory, "guarded_requests");
  const ways: [string, () => string[]][] = [
    ["the source", () => [process.execPath, program]],
    [
      "an executable",
      () => {
        const built = Bun.spawnSync([
          process.execPath,
          "build",
          "--compile",
          program,
          "--outfile",
          executable,
        ]);
        if (!built.success) throw new Error(built.stderr.toString());
        return [executable];
      },
    ],
  ];

  describe.each(ways)("from %s", (_way, commandOf) => {
    let command: string[] | null = null;
    const outcome = (url: string, env: Record<string, string>, addresses = ["127.0.0.1"]) =>
      outcomeOf((command ??= commandOf()), { url, allow: ["127.0.0.0/8"], addresses }, env);
    const fine: Outcome = { status: 200, body: "ok" };

    test("the name is in SNI, in Host and in the certificate, and the connection goes to the checked address", async () => {
      const peer = await startTlsPeer(certificate("client", "DNS:client.example"));
      const url = `https://client.example:${peer.port}/client.json`;
      expect(await outcome(url, trusted)).toEqual(fine);
      expect(peer.names).toEqual(["client.example"]);
      expect(peer.requests[0]).toStartWith("GET /client.json HTTP/1.1\r\n");
      expect(peer.requests[0]).toMatch(new RegExp(`^host: client\\.example:${peer.port}\r$`, "im"));
    });

    test("a certificate for another name or for the address alone is refused", async () => {
      const peer = await startTlsPeer(certificate("other", "DNS:other.example,IP:127.0.0.1"));
      const at = (host: string) => outcome(`https://${host}:${peer.port}/`, trusted);
      expect(await at("client.example")).toEqual({ fault: "tls" });
      expect(await at("sub.other.example")).toEqual({ fault: "tls" });
      expect(await at("other.example")).toEqual(fine);
      expect(await at("127.0.0.1")).toEqual(fine);
      expect(peer.requests.filter((request) => request !== "").length).toBe(2);
    });

    test("a certificate of an unknown authority is refused, whatever the environment says", async () => {
      const peer = await startTlsPeer(certificate("known", "DNS:client.example"));
      const url = `https://client.example:${peer.port}/`;
      const unverified = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
      expect(await outcome(url, {})).toEqual({ fault: "tls" });
      expect(await outcome(url, unverified)).toEqual({ fault: "tls" });
      expect(await outcome(url, { SSL_CERT_FILE: authority!.cert })).toEqual(fine);
    });

    test("a proxy in the environment is not used", async () => {
      const peer = await startTlsPeer(certificate("direct", "DNS:client.example"));
      const plain = await startPeer();
      const proxy = await startPeer();
      const address = `http://127.0.0.1:${proxy.port}`;
      const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
      const env = {
        ...trusted,
        ...Object.fromEntries(names.map((name) => [name, address])),
        NO_PROXY: "",
        no_proxy: "",
      };
      expect(await outcome(`https://client.example:${peer.port}/`, env)).toEqual(fine);
      expect(await outcome(`http://client.example:${plain.port}/`, env)).toEqual(fine);
      expect(proxy.requests).toEqual([]);
    });

    test("a server that does not speak TLS, or that nobody listens as, is a failure", async () => {
      const plain = await startPeer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
      expect(await outcome(`https://client.example:${plain.port}/`, trusted)).toEqual({ fault: "tls" });
      const url = `https://client.example:${await freePort()}/`;
      expect(await outcome(url, trusted)).toEqual({ fault: "unreachable" });
    });
  });
});
