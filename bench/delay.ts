/** A proxy that adds the time of a network between a program and its database. */

import type { Socket } from "bun";

interface End {
  /** What is on its way to this end, or is to be sent when the socket takes more. */
  waiting: Uint8Array[];
  socket?: Socket<Link>;
  other: End;
}
interface Link {
  end: End;
}

/** Sends what waits, as far as the socket takes it. */
function send(end: End): void {
  while (end.socket && end.waiting.length > 0) {
    const chunk = end.waiting[0]!;
    const written = end.socket.write(chunk);
    if (written < chunk.length) {
      end.waiting[0] = chunk.subarray(Math.max(written, 0));
      return;
    }
    end.waiting.shift();
  }
}

/** Starts a proxy to `port` of this machine. Each chunk is sent after `delay_ms`, in the same order. */
export async function startDelay(port: number, delay_ms: number): Promise<{ port: number; stop(): void }> {
  const handlers = {
    data({ data: { end } }: Socket<Link>, chunk: Buffer) {
      const copy = Uint8Array.from(chunk);
      setTimeout(() => {
        end.other.waiting.push(copy);
        send(end.other);
      }, delay_ms);
    },
    drain: ({ data: { end } }: Socket<Link>) => send(end),
    close: ({ data: { end } }: Socket<Link>) => void end.other.socket?.end(),
  };
  const listener = Bun.listen<Link>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      ...handlers,
      open(socket) {
        const near = { waiting: [], socket } as unknown as End;
        const far: End = { waiting: [], other: near };
        near.other = far;
        socket.data = { end: near };
        socket.setNoDelay(true);
        void Bun.connect<Link>({
          hostname: "127.0.0.1",
          port,
          data: { end: far },
          socket: {
            ...handlers,
            open(opened) {
              far.socket = opened;
              opened.setNoDelay(true);
              send(far);
            },
          },
        });
      },
    },
  });
  return { port: listener.port, stop: () => listener.stop(true) };
}
