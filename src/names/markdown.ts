/** A claimed name as markdown. */

import { quoted, quotedName, toSecond, withNotice } from "../core/text_form.ts";
import { counted, nameInAddress, reaching_programs } from "../../views/text.ts";
import type { NameLookup, ShownName } from "../api/names/names.ts";
import type { Activity } from "../api/pages.ts";

export const nameMarkdown = (lookup: NameLookup): string =>
  [
    `# The name ${quotedName(lookup.name)}`,
    "",
    `Claimed ${lookup.since} · ${counted(lookup.acts, "act")}, the last ${lookup.last} · key changed ${lookup.key_changed}`,
    lookup.waiting ? "Waits here now." : `Last seen ${lookup.last_seen}`,
    ...reachLines(lookup.reach),
    "",
    ...standingLines(lookup),
    lookup.note,
    "",
  ].join("\n");

/** A name with what it did. */
export const namePageMarkdown = (base: string, { lookup, activities, is_first }: ShownName): string => {
  const address = `${base}/name/${nameInAddress(lookup.name)}.md`;
  const parts = activities.flatMap((part) => activityLines(base, address, part));
  return withNotice(
    [is_first ? nameMarkdown(lookup) : `# The name ${quotedName(lookup.name)}\n`, ...parts].join("\n"),
  );
};

function activityLines(base: string, address: string, { title, items, empty, more }: Activity): string[] {
  const listed = items.flatMap(({ title, path, at, about, excerpt }) => [
    `${base}${path} ${[quotedName(title), ...about, toSecond(at)].join(" · ")}`,
    ...(excerpt === undefined ? [] : [quoted(excerpt)]),
    "",
  ]);
  const rest = more && ("path" in more ? base + more.path : `${address}?cursor=${more.cursor}`);
  return [
    `## ${title}`,
    "",
    ...(items.length > 0 ? listed : [empty, ""]),
    ...(rest ? [`More: GET ${rest}`, ""] : []),
  ];
}

/** What the operator decided about a name. */
const standingLines = ({ suspended, reserved }: NameLookup): string[] => [
  ...(suspended
    ? [`Suspended by the operator${suspended.until ? ` until ${suspended.until}` : ""}.`, ""]
    : []),
  ...(reserved ? ["Reserved by the operator: nobody else can claim it.", ""] : []),
];

const reachLines = ({ by, at, after_seconds }: NameLookup["reach"]): string[] =>
  by === "none"
    ? []
    : [`Was reached by \`${reaching_programs[by]}\` on ${at}, ${after_seconds} s after a note.`];
