/** The program: arguments and environment in, a running service out. */

// Elysia repeats callers' input in its errors unless this is production; it must be said before Elysia is loaded.
Bun.env.NODE_ENV ??= "production";

void import("./cli/cli.ts").then(({ run }) => run(process.argv));
