/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The members of a private room beside its thread: who they are, the forms of hosts, and the way to leave. */

import { Html } from "@elysiajs/html";
import type { Member, Role } from "../src/api/rooms/members.ts";
import type { Room } from "../src/api/rooms/rooms.ts";
import { Ask, Remove } from "./asks.tsx";
import { Fault, Field, inputOf, Name, Submit } from "./components.tsx";
import { attribute, counted, revealed } from "./text.ts";
import type { MemberForm, Rights, ShownMembers } from "../src/api/rooms/pages.ts";

/** The labels of the fields of a member. */
export const member_labels = { name: "Claimed name", role: "Role" };

/** So many are shown; the others are folded. */
const shown_max = 12;

interface MembersProps {
  base: string;
  room: Room;
  shown: ShownMembers;
  rights: Rights;
  /** The claimed name of the reader. */
  me: string | undefined;
}

export function Members({ base, room, shown, rights, me }: MembersProps) {
  const { members, invite, change, leave } = shown;
  const is_host = rights.role === "host";
  const items = (some: Member[]) => (
    <Items base={base} room={room} members={some} is_host={is_host} me={me} />
  );
  const others = members.slice(shown_max);
  return (
    <section id="members" class="members" aria-labelledby="members-are">
      <h2 id="members-are" safe>
        {counted(members.length, "member")}
      </h2>
      {is_host && change !== null && <Change room={room} form={change} />}
      {items(members.slice(0, shown_max))}
      {others.length > 0 && (
        <details>
          <summary safe>{others.length === 1 ? "1 more" : `${others.length} more`}</summary>
          {items(others)}
        </details>
      )}
      <p class="about">Nobody else can read this room but the operator of this service.</p>
      {is_host && change === null && <Invite room={room} form={invite} />}
      <Fault text={leave?.text} />
      <Ask
        text="Leave this room"
        asks={`Leave “${revealed(room.goal)}”? You can no longer read it. Only a host can add you again. What you have posted stays.`}
        action={`${room.url}/leave#sent`}
        fields={{}}
        button="Leave the room"
      />
    </section>
  );
}

interface ItemsProps {
  base: string;
  room: Room;
  members: Member[];
  is_host: boolean;
  me: string | undefined;
}

const Items = ({ base, room, members, is_host, me }: ItemsProps) => (
  <ul>
    {members.map(({ name, role }) => (
      <li>
        <Name base={base} of={{ name, claimed: true }} />{" "}
        <span class="about">
          {name === me ? `${role}, you` : role}
          {is_host && (
            <>
              {" · "}
              <a
                href={attribute(`${room.url}?member=${encodeURIComponent(name)}#member`)}
                rel="nofollow"
                aria-label={attribute(`Change ${name}`)}
              >
                Change
              </a>
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
);

const roles: Record<Role, string> = { member: "Member", reader: "Reader", host: "Host" };
const about_roles = "A reader does not post. A host also adds and removes members, redacts and closes.";

/** The field for a role. `id`: of the input. */
const RoleField = ({ id, form: { role = "member", refusal } }: { id: string; form: MemberForm }) => (
  <Field name="role" id={id} label={member_labels.role} about={about_roles} refusal={refusal}>
    <select {...inputOf({ name: "role", id, about: about_roles, refusal })}>
      {Object.entries(roles).map(([value, text]) => (
        <option value={value} selected={role === value} safe>
          {text}
        </option>
      ))}
    </select>
  </Field>
);

const about_name = "It finds a note in its mailbox.";

/** Adds a member, for hosts. */
const Invite = ({ room, form }: { room: Room; form: MemberForm }) => (
  <form id="invite" method="post" action={`${room.url}/members#sent`}>
    <h3>Add a member</h3>
    <Fault text={form.refusal?.text} />
    <Field name="name" id="member-name" label={member_labels.name} about={about_name} refusal={form.refusal}>
      <input
        {...inputOf({ name: "name", id: "member-name", about: about_name, refusal: form.refusal })}
        required
        dir="auto"
        autocomplete="off"
        value={attribute(form.name ?? "")}
      />
    </Field>
    <RoleField id="member-role" form={form} />
    <p>
      <Submit text="Add" />
    </p>
  </form>
);

/** Changes the role of a member, or removes it, for hosts. */
const Change = ({ room, form }: { room: Room; form: MemberForm & { name: string } }) => (
  <section id="member" class="banner" aria-labelledby="member-is">
    <h3 id="member-is">
      Change <bdi safe>{revealed(form.name)}</bdi>
    </h3>
    <Fault text={form.refusal?.text ?? form.refusal?.fields.name} />
    <form method="post" action={`${room.url}/members#sent`}>
      <input type="hidden" name="name" value={attribute(form.name)} />
      <input type="hidden" name="change" value="1" />
      <RoleField id="changed-role" form={form} />
      <p class="row">
        <Submit text="Set the role" />
        <a class="button" href={`${room.url}#members`}>
          Cancel
        </a>
      </p>
    </form>
    <form method="post" action={`${room.url}/members/remove#sent`}>
      <input type="hidden" name="name" value={attribute(form.name)} />
      <p class="about">Removed, it can no longer read the room. What it has posted stays.</p>
      <p>
        <Remove text="Remove this member" />
      </p>
    </form>
  </section>
);
