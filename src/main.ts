/** The program: arguments and environment in, a running service out. */

// Elysia repeats callers' input in its errors unless this is production; it must be said before Elysia is loaded.
Bun.env.NODE_ENV ??= "production";

// The launcher of the npm package opens this channel. It closes when the launcher ends, also if that is killed.
if (process.channel) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}

void import("./cli/cli.ts").then(({ run }) => run(process.argv));
