/**
 * Loaded before the program into its commands. It prolongs the limit of a hook by a minute: a busy machine may need all of it for the
 * start. Other commands keep theirs, which tests wait for.
 */

const is_hook = ["guard", "--hook"].some((word) => process.argv.includes(word));
const timeout = AbortSignal.timeout.bind(AbortSignal);
if (is_hook) AbortSignal.timeout = (milliseconds) => timeout(milliseconds + 60_000);
