/** Renders a section of the API for reading, or one of its parts: calls, and the shapes of their answers. */

import type { OpenApi } from "../web/openapi/document.ts";
import { heading, joined, list, subheading, text } from "./blocks.ts";
import {
  callBlocks,
  callsOf,
  codePieces,
  credentialOfAll,
  problem,
  refusedByAll,
  type Call,
  type Described,
  type ForAll,
} from "./call_blocks.ts";
import { leanOf, leanShapes } from "./lean.ts";
import { shapeId, shapesIn, type Schemas } from "./schemas.ts";
import { sectionPath, sectionTitle, type Section } from "./sections.ts";
import { leanShapeBlocks, shapeBlocks } from "./shapes.ts";
import type { Block, DiscoveryDocument, Line } from "../api/documents.ts";

/** The calls of a section or part, and the shapes of their answers. */
interface Listed {
  name: string;
  tag: string;
  calls: Call[];
  shapes: string[];
  /** Whether it describes these shapes for all parts of its section. */
  has_answers: boolean;
}

/** The document of the section or part with this name. `ending`: the ending of links to parts. */
export function apiDocument(
  openapi: OpenApi,
  base: string,
  sections: Section[],
  name: string,
  ending: string,
): DiscoveryDocument {
  const lean = leanShapes(openapi);
  const schemas = { ...openapi.components.schemas, ...lean };
  const listed = sections.flatMap((section) => listedIn(openapi, schemas, section));
  const found = listed.find((one) => one.name === name)!;
  const section = sections.find((one) => one.name === found.tag)!;
  const part = section.parts?.find((one) => one.name === name);
  const { title, description } = part ?? { title: sectionTitle(name), description: section.description };
  const homeOf = (shape: string): Listed => homeIn(listed, found, shape);
  const known = listed.flatMap(({ tag, has_answers, shapes }) =>
    tag === section.name && has_answers ? shapes : [],
  );
  const hrefOf = (shape: string): string =>
    homeOf(shape) === found
      ? `#${shapeId(shape)}`
      : `${base}${sectionPath(homeOf(shape).name)}${ending}${ending ? "" : `#${shapeId(shape)}`}`;
  return {
    title: `The API: ${title}`,
    description,
    blocks: [
      ...(part || !section.parts ? [] : [partList(base, listed, section, ending)]),
      ...callBlocksOf(openapi, base, found, hrefOf),
      ...shapeBlocksOf(schemas, base, found, { homeOf, hrefOf, known, lean: Object.keys(lean) }),
      ...((part ? part.details?.(base) : section.more) ?? []),
    ],
  };
}

/** The calls of a section that are in none of its parts, and those of its parts. */
function listedIn(openapi: OpenApi, schemas: Schemas, { name: tag, parts = [] }: Section): Listed[] {
  const of_tag = callsOf(openapi).filter(({ operation }) => operation.tags.includes(tag));
  const idOf = ({ operation }: Call): string => operation.operationId;
  const named = (ids: string[]) => ids.flatMap((id) => of_tag.filter((call) => idOf(call) === id));
  const in_parts = parts.flatMap(({ calls }) => calls);
  const answered = parts.flatMap(({ answers_of = [] }) => answers_of);
  const rest = of_tag.filter((call) => !in_parts.includes(idOf(call)));
  const listed = (name: string, calls: Call[], answers_of: string[] = []): Listed => ({
    name,
    tag,
    calls,
    shapes: [
      ...new Set([
        ...calls.flatMap((call) => {
          const lean = leanOf(call.operation);
          return [
            ...(answered.includes(idOf(call)) ? [] : fullShapes(call, schemas)),
            ...(lean ? shapesIn({ $ref: lean }, schemas) : []),
          ];
        }),
        ...named(answers_of).flatMap((call) => fullShapes(call, schemas)),
      ]),
    ],
    has_answers: answers_of.length > 0,
  });
  return [
    listed(tag, rest),
    ...parts.map(({ name, calls, answers_of }) => listed(name, named(calls), answers_of)),
  ];
}

/** Where a shape is described for the readers of `reader`: in its section also for each part, unless one has it for all. */
function homeIn(listed: Listed[], reader: Listed, shape: string): Listed {
  const homes = listed.filter(({ shapes }) => shapes.includes(shape));
  const home = homes.find(({ has_answers }) => has_answers) ?? homes[0]!;
  return homes.includes(reader) && home.tag === reader.tag && !home.has_answers ? reader : home;
}

/** The parts of a section, each with its calls. */
const partList = (base: string, listed: Listed[], { parts = [] }: Section, ending: string): Block =>
  list(
    parts.map(({ name, title, description }): Line => {
      const calls = listed.find((one) => one.name === name)!.calls;
      return [
        { text: title, href: `${base}${sectionPath(name)}${ending}` },
        `: ${description}${calls.length > 0 ? " " : ""}`,
        ...joined(calls.map(({ method, path }) => [{ code: `${method} ${path}` }])),
      ];
    }),
  );

function callBlocksOf(
  openapi: OpenApi,
  base: string,
  { calls }: Listed,
  hrefOf: (shape: string) => string,
): Block[] {
  if (calls.length === 0) return [];
  const described: Described = { parameters: new Set(), bodies: new Map() };
  const for_all: ForAll = { refused: refusedByAll(calls), credential: credentialOfAll(calls) };
  return [
    text(`Addresses begin with ${base}. Errors of every call: ${base}/api.md.`),
    ...(for_all.credential ? [text(`Every call here needs ${for_all.credential}.`)] : []),
    ...(for_all.refused.length > 0
      ? [text("Every call here may be refused with ", ...codePieces(for_all.refused, base), ".")]
      : []),
    heading("Calls", "calls"),
    ...calls.flatMap((call) => callBlocks(call, openapi, base, described, for_all, hrefOf)),
  ];
}

/** The shapes: each with its fields, or where they are. `known`: those that a part describes for all parts of the section. */
const shapeBlocksOf = (
  schemas: Schemas,
  base: string,
  listed: Listed,
  {
    homeOf,
    hrefOf,
    known,
    lean,
  }: {
    homeOf: (shape: string) => Listed;
    hrefOf: (shape: string) => string;
    known: string[];
    lean: string[];
  },
): Block[] => [
  ...(listed.shapes.length > 0 ? [heading("Shapes", "shapes")] : []),
  ...listed.shapes.flatMap((shape, i) => {
    const home = homeOf(shape);
    if (home === listed && lean.includes(shape)) return leanShapeBlocks(shape, schemas);
    return home === listed
      ? shapeBlocks(
          shape,
          [...(listed.has_answers ? [] : known), ...listed.shapes.slice(0, i)],
          schemas,
          hrefOf,
        )
      : [subheading(shape, shapeId(shape)), text(`As in ${base}${sectionPath(home.name)}.md.`)];
  }),
];

/** The names of the shapes of a call's answers. */
const fullShapes = ({ operation }: Call, schemas: Schemas): string[] =>
  Object.values(operation.responses).flatMap(({ content = {} }) =>
    Object.entries(content).flatMap(([type, { schema }]) =>
      type === problem ? [] : [...shapesIn(schema, schemas)],
    ),
  );
