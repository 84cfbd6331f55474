/** Loaded before the program into a hook, whose limit it prolongs by a minute: a busy machine may need all of it for the start. */

const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (milliseconds) => timeout(milliseconds + 60_000);
