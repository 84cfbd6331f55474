/** The names of files that can be leased. */

import { dirname } from "node:path";
import { lease_limits } from "../../../api/limits.ts";
import { codePoints, deceptivePlaces } from "../../../core/text.ts";

/** Whether a path from the top, in Unicode's form NFC, is one that the service takes for a lease. */
export const isLeasable = (path: string): boolean =>
  codePoints(path) <= lease_limits.lease_path_chars_max &&
  path.split("/").length <= lease_limits.lease_path_segments_max &&
  deceptivePlaces(path, 1).length === 0 &&
  !/[\n\r\t\f\u2028\u2029]/.test(path);

/**
 * A path from the top as the service takes it: a file whose own name is too long or too deep, or has characters that no name of a lease has, is
 * covered by the leases of its folders: the nearest of them is returned. Null if there is none.
 */
export function leasablePath(path: string): string | null {
  const normal = path.normalize("NFC");
  if (isLeasable(normal)) return normal;
  const folder = dirname(path);
  return folder === "." ? null : leasablePath(folder);
}
