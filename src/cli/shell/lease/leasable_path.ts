/** The names of files that can be leased. */

import { dirname } from "node:path";
import { lease_limits } from "../../../api/limits.ts";
import { codePoints, deceptivePlaces } from "../../../core/text.ts";

/**
 * A path from the top as the service takes it: a file whose own name is too long, or has characters that no name of a lease has, is
 * covered by the leases of its folders: the nearest of them is returned. Null if there is none.
 */
export function leasablePath(path: string): string | null {
  const normal = path.normalize("NFC");
  const can_be_leased =
    codePoints(normal) <= lease_limits.lease_path_chars_max &&
    deceptivePlaces(normal, 1).length === 0 &&
    !/[\n\r\t\f]/.test(normal);
  if (can_be_leased) return normal;
  const folder = dirname(path);
  return folder === "." ? null : leasablePath(folder);
}
