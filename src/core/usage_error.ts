/** An error in the command line or in an environment variable. The program prints its message and exits with status 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
