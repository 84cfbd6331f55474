/** Documents as blocks: headings, paragraphs, lists, fields, code and forms that make a call. */

/** A piece of running text: plain, code, or a link. */
export type Piece = string | { code: string; href?: string } | { text: string; href: string };
/** Running text. */
export type Line = Piece | Piece[];

export interface Field {
  name: string;
  type: Line;
  /** What it is; may be empty. */
  about: string;
}

export type Block =
  /** `id`: the anchor of the heading in its page. */
  | { kind: "heading"; level: 2 | 3; text: string; id: string }
  | { kind: "text"; line: Line }
  | { kind: "list"; items: Line[] }
  /** Fields of something: a table in HTML, whose first column is called `of`, and a list in markdown. */
  | { kind: "fields"; of: string; fields: Field[] }
  /** `language`: the language after the markdown fence, such as bash or json. */
  | { kind: "code"; language: string; text: string }
  /** A form that makes a call; only in HTML. */
  | TryCall;

export interface TryCall {
  kind: "try";
  method: string;
  /** A template such as `/api/jobs/{id}`. */
  path: string;
  parameters: { name: string; in: string; required: boolean }[];
  /** An example of the body as JSON; null if the call takes none. */
  body: string | null;
}

export interface DiscoveryDocument {
  title: string;
  /** One sentence. */
  description: string;
  blocks: Block[];
}
