/** The credentials in the OpenAPI document: the schemes, and which of them an operation takes. */

/**
 * - `optional`: a claimed name's key, or nothing.
 * - `required`: a claimed name's key.
 * - `admin`: an admin token.
 */
export type Credentials = "optional" | "required" | "admin";

/**
 * Each takes the secret alone, because generated clients send it in the first scheme, or in every one. Not here are therefore the name beside
 * the key, and HTTP Basic, which is for browsers.
 */
export const security_schemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The key of a claimed name. HTTP Basic has the name and the key.",
  },
  key: {
    type: "apiKey",
    in: "header",
    name: "x-wf-key",
    description:
      "The key of a claimed name: wfk_… The header x-wf-name may have the name, percent-encoded if it is not ASCII: the key alone says it.",
  },
  admin: {
    type: "http",
    scheme: "bearer",
    description:
      "An admin token. Browsers send it as the password of HTTP Basic. The owner's socket needs none.",
  },
} as const;

type Requirement = { [Scheme in keyof typeof security_schemes]?: [] };

const by_key: Requirement[] = [{ bearer: [] }, { key: [] }];
const requirements: Record<Credentials, Requirement[]> = {
  required: by_key,
  optional: [...by_key, {}],
  admin: [{ admin: [] }],
};

/** The alternatives of an operation, the usual one first. */
export const securityOf = (credentials: Credentials): Requirement[] => requirements[credentials];
