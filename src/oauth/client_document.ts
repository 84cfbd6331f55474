/** The document of a program whose client_id is the address of that document (draft-ietf-oauth-client-id-metadata-document-01). */

import { checkRedirectUris, faultsText } from "./redirects.ts";
import { programName } from "./program_name.ts";

/** A document that may be used. */
interface ClientDocument {
  name: string;
  redirect_uris: string[];
}

/** Whether a client_id is the address of a document (section 3): https, with a path and nothing that could be spelled otherwise. */
export function isDocumentAddress(client_id: string): boolean {
  const url = URL.parse(client_id);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.pathname !== "/" &&
    url.href === client_id &&
    !/[#@]/.test(client_id)
  );
}

/** The document in the answer of its address, or why it may not be used (section 4). */
export function readClientDocument(client_id: string, body: Uint8Array): ClientDocument | { fault: string } {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return { fault: "It is not JSON." };
  }
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return { fault: "It is no object." };
  const {
    client_id: own,
    client_name,
    redirect_uris,
    client_secret,
    token_endpoint_auth_method,
  } = document as Record<string, unknown>;
  if (own !== client_id) return { fault: "Its client_id is not its address." };
  // Everybody can read it, so that it can hold no secret.
  const has_secret =
    client_secret !== undefined || String(token_endpoint_auth_method).startsWith("client_secret_");
  if (has_secret) return { fault: "It wants a shared secret, which a public document cannot have." };
  const checked = checkRedirectUris(redirect_uris);
  if ("faults" in checked) return { fault: `${faultsText(checked.faults)}.` };
  const name = programName(client_name);
  return name === null
    ? { fault: "Its client_name has characters that no name may have." }
    : { name, redirect_uris: checked.uris };
}
