/** Request and response schemas of programs that sign in by OAuth, and of the grants that names give them. */

import { Type, type Static } from "@sinclair/typebox";
import { LimitParam, Nullable, QueryOf, Sent, SharedText, Text, Time } from "../core/fields.ts";
import { ReasonField } from "./admin.ts";
import { program_limits } from "./limits.ts";

const client_id =
  "The client_id of the program: an address of a document that describes it, or an id from here.";

export const Grant = Type.Object(
  {
    id: Type.String({ description: "The id of the grant." }),
    client: Type.String({ description: client_id }),
    client_name: Type.String({
      description: "What the program calls itself; may be empty. Nobody has checked it.",
    }),
    client_host: Type.String({
      description:
        "The host of the program's document, or who gets its answers: a host, this computer, or an app.",
    }),
    scope: Type.String({ description: "What the program may do, as in OAuth." }),
    created: Time("When the name let the program in."),
    used: Time("When the program used the grant last, exact to an hour."),
  },
  { title: "Grant", description: "A program that acts under the name." },
);
export const Grants = Type.Object(
  { grants: Type.Array(Grant, { description: "The one used last first." }) },
  { title: "GrantList", description: "The programs that act under the name." },
);
export const EndedGrant = Type.Object(
  { id: Grant.properties.id, ended: Type.Literal(true) },
  { title: "GrantEnded", description: "The grant has ended, with its tokens." },
);

const ClientIdField = Text({
  description: client_id,
  minLength: 1,
  maxLength: program_limits.client_id_chars_max,
  examples: ["https://client.example/oauth/metadata.json"],
});
const RedirectUris = (description: string) => Type.Array(Type.String({ format: "uri" }), { description });

export const ClientsQuery = QueryOf({
  limit: LimitParam(
    `How many at most (${program_limits.clients_listed_max}).`,
    program_limits.clients_listed_max,
  ),
});
export const OAuthClient = Type.Object(
  {
    client_id: Type.String({ description: client_id }),
    origin: Type.Union(
      ["document", "registered", "added"].map((origin) => Type.Literal(origin)),
      {
        description:
          "document: described at its address. registered: it has registered itself. added: by an admin.",
      },
    ),
    name: Type.String({
      description: "What the program calls itself, or what an admin has called it; may be empty.",
    }),
    redirect_uris: Nullable(RedirectUris("Where its answers may go. null: its document says it.")),
    created: Time("When it registered or was added; of a document: when it was let in first."),
    grants: Type.Integer({ description: "How many grants it has." }),
    used: Nullable(Time("When a grant was used last, exact to an hour; null if it has none.")),
  },
  { title: "OAuthClient", description: "A program that signs in by OAuth." },
);
export const OAuthClients = Type.Object(
  { clients: Type.Array(OAuthClient, { description: "Those used last first." }) },
  { title: "OAuthClientList", description: "Programs that are registered, added or let in by a name." },
);

export const AddClient = Sent("AddOAuthClient", {
  name: SharedText({
    description: "What people see as the name of the program.",
    minLength: 1,
    maxLength: program_limits.client_name_chars_max,
    examples: ["Example"],
  }),
  redirect_uris: Type.Array(
    Text({
      description: "An address.",
      minLength: 1,
      maxLength: program_limits.redirect_uri_chars_max,
      examples: ["https://client.example/callback"],
    }),
    {
      description: "Where its answers may go. At a loopback address every port counts as the same.",
      minItems: 1,
      maxItems: program_limits.redirect_uris_max,
    },
  ),
  with_secret: Type.Optional(
    Type.Boolean({ description: "Whether it gets a secret, which it then has to send for tokens." }),
  ),
});
export const AddedClient = Type.Object(
  {
    client_id: OAuthClient.properties.client_id,
    client_secret: Type.Optional(
      Type.String({ description: "With with_secret: the secret. It is given once." }),
    ),
    name: OAuthClient.properties.name,
    redirect_uris: RedirectUris("Where its answers may go."),
    created: Time("When it was added."),
  },
  { title: "AddedOAuthClient", description: "A program that was added." },
);

export const EndClient = Sent("EndOAuthClient", { client_id: ClientIdField, reason: ReasonField });
export const EndedClient = Type.Object(
  {
    client_id: OAuthClient.properties.client_id,
    ended: Type.Literal(true),
    found: Type.Object(
      {
        registered: Type.Boolean({ description: "Whether it was registered or added here." }),
        grants: Type.Integer({ description: "How many grants it had." }),
      },
      { description: "As the action found it." },
    ),
  },
  { title: "OAuthClientEnded", description: "The program's grants have ended, and its registration." },
);

export interface OAuthClient extends Omit<Static<typeof OAuthClient>, "origin"> {
  origin: "document" | "registered" | "added";
}
export type AddClient = Static<typeof AddClient>;
export type AddedClient = Static<typeof AddedClient>;
export type EndedClient = Static<typeof EndedClient>;
