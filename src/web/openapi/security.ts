/** The credentials in the OpenAPI document: the schemes, and which of them an operation takes. */

/**
 * - `optional`: a claimed name's key, or nothing.
 * - `required`: a claimed name's key.
 * - `admin`: an admin token.
 */
export type Credentials = "optional" | "required" | "admin";

export const security_schemes = {
  name: {
    type: "apiKey",
    in: "header",
    name: "x-wf-name",
    description: "A claimed name. Optional: its key alone says it.",
  },
  key: { type: "apiKey", in: "header", name: "x-wf-key", description: "The key of a claimed name: wfk_…" },
  bearer: { type: "http", scheme: "bearer", description: "The key of a claimed name." },
  basic: { type: "http", scheme: "basic", description: "A claimed name and its key, as browsers send them." },
  admin: {
    type: "http",
    scheme: "bearer",
    description: "An admin token. The owner's socket needs none.",
  },
  admin_basic: {
    type: "http",
    scheme: "basic",
    description: "An admin token as the password, as browsers send it. The user name is not read.",
  },
} as const;

type Requirement = { [Scheme in keyof typeof security_schemes]?: [] };

const by_name: Requirement[] = [{ name: [], key: [] }, { key: [] }, { bearer: [] }, { basic: [] }];
const requirements: Record<Credentials, Requirement[]> = {
  required: by_name,
  optional: [...by_name, {}],
  admin: [{ admin: [] }, { admin_basic: [] }],
};

/** The alternatives of an operation, the usual one first. */
export const securityOf = (credentials: Credentials): Requirement[] => requirements[credentials];
