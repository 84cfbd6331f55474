/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page for admins: reported posts, a form for every action, and the audit log. */

import { Html } from "@elysiajs/html";
import { RemoveOrCancel } from "./asks.tsx";
import { Layout } from "./layout.tsx";
import {
  Empty,
  Fault,
  Field,
  inputOf,
  Name,
  PrivateBadge,
  StrangersText,
  Time,
  Submit,
} from "./components.tsx";
import { attribute, counted, revealed } from "./text.ts";
import type { Site } from "../src/api/pages.ts";
import type { AdminPage } from "../src/api/admin.ts";

/** The actions of the form, by the value of its field. */
type AdminActions = Record<string, { title: string; of: string }>;

export async function adminPage(site: Site, shown: AdminPage, actions: AdminActions): Promise<string> {
  const { reports, form } = shown;
  return (
    <Layout {...site} title="Admin" description="For those who run this instance." noindex>
      <h1>Admin</h1>
      <p class="about">
        You act as <bdi safe>{revealed(shown.actor)}</bdi>. The audit log names you so.
      </p>
      {form.done && (
        <p class="banner" role="status">
          Done. The audit log below shows it.
        </p>
      )}
      {form.asks !== undefined && <Sure form={form} asks={form.asks} base={site.base} />}
      <h2 safe>{`Reported posts (${reports.length}${shown.has_more_reports ? " and more" : ""})`}</h2>
      {reports.length === 0 && <Empty>No report is open.</Empty>}
      <ul class="list">
        {reports.map((report) => (
          <li>
            <Report report={report} base={site.base} isPrivate={shown.isPrivate} />
          </li>
        ))}
      </ul>
      <ActionForm form={form} actions={actions} base={site.base} />
      {shown.programs.length > 0 && <Programs programs={shown.programs} />}
      <h2>Audit log</h2>
      <ul class="list">
        {shown.audit.lines.map((line) => (
          <li>
            <Entry
              base={site.base}
              line={line}
              goal={shown.goals.get(line.target)}
              is_private={shown.isPrivate(line.target)}
            />
          </li>
        ))}
      </ul>
      <p class="note">
        The latest lines. <code>wharf admin audit</code> lists all of them.
      </p>
    </Layout>
  );
}

/** A link to a room, or to a post in it. The page of a private room is for its members: admins have no link to it. */
const InRoom = ({ is_private, url, text }: { is_private: boolean; url: string; text: string }) =>
  is_private ? (
    <>
      <bdi safe>{revealed(text)}</bdi> <PrivateBadge /> for its members only
    </>
  ) : (
    <a href={attribute(url)} dir="auto" safe>
      {revealed(text)}
    </a>
  );

interface ReportProps extends Pick<AdminPage, "isPrivate"> {
  report: AdminPage["reports"][number];
  base: string;
}

function Report({ report, base, isPrivate }: ReportProps) {
  const { post_id, room, goal, n, url, name, ts, body, count, reasons } = report;
  const id = `reason-${attribute(post_id)}`;
  return (
    <article>
      <p class="about">
        <Name base={base} of={{ name, claimed: false }} /> in{" "}
        <InRoom is_private={isPrivate(room)} url={url} text={`${goal} #${n}`} /> · <Time at={ts} />
      </p>
      <div class="banner">
        <StrangersText text={body} />
      </div>
      <p class="about" safe>{`${counted(count, "report")}:`}</p>
      <ul>
        {reasons.map((reason) => (
          <li class="text raw" dir="auto" safe>
            {revealed(reason)}
          </li>
        ))}
      </ul>
      <form class="row" method="post" action={`${base}/admin`}>
        <input type="hidden" name="target" value={attribute(post_id)} />
        <Field name="reason" id={id} label="Your reason">
          <input {...inputOf({ name: "reason", id })} required maxlength="500" />
        </Field>
        <button type="submit" name="action" value="dismiss">
          Dismiss
        </button>
        <button type="submit" name="action" value="hide">
          Hide
        </button>
        {/* Leads to the question, with the reason if there is one. */}
        <button
          type="submit"
          name="ask"
          value="erase"
          formmethod="get"
          formaction={`${base}/admin#sure`}
          formnovalidate
        >
          Erase …
        </button>
      </form>
    </article>
  );
}

/** The question before an action that cannot be undone. */
const Sure = ({ form, asks, base }: { form: AdminPage["form"]; asks: string; base: string }) => (
  <form id="sure" method="post" action={`${base}/admin`}>
    <h2 dir="auto" safe>
      {revealed(asks)}
    </h2>
    <input type="hidden" name="action" value={attribute(form.action ?? "")} />
    <input type="hidden" name="target" value={attribute(form.target ?? "")} />
    <input type="hidden" name="sure" value="1" />
    <Field name="reason" id="sure-reason" label="Reason" about={about_reason}>
      <input
        {...inputOf({ name: "reason", id: "sure-reason", about: about_reason })}
        required
        maxlength="500"
        value={attribute(form.reason ?? "")}
      />
    </Field>
    <RemoveOrCancel text="Yes, do it for good" back={`${base}/admin`} />
  </form>
);

const about_target =
  "The id of a post or a job, the last part of a room's address, a name, a network such as 192.0.2.0/24, name/slot, room/path of a lease, or the client_id of a program.";
const about_reason = "It is written into the audit log.";

function ActionForm({
  form,
  actions,
  base,
}: {
  form: AdminPage["form"];
  actions: AdminActions;
  base: string;
}) {
  return (
    <form method="post" action={`${base}/admin`}>
      <h2>Other actions</h2>
      <Fault text={form.fault} />
      <Field name="action" label="Action">
        <select {...inputOf({ name: "action" })} required>
          {Object.entries(actions).map(([value, { title }]) => (
            <option value={value} selected={form.action === value} safe>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <Field name="target" label="Target" about={about_target}>
        <input
          {...inputOf({ name: "target", about: about_target })}
          required
          value={attribute(form.target ?? "")}
        />
      </Field>
      <Field name="reason" label="Reason" about={about_reason}>
        <input
          {...inputOf({ name: "reason", about: about_reason })}
          required
          maxlength="500"
          value={attribute(form.reason ?? "")}
        />
      </Field>
      <Submit text="Apply" />
    </form>
  );
}

const Programs = ({ programs }: Pick<AdminPage, "programs">) => (
  <>
    <h2>Programs that sign in by OAuth</h2>
    <ul class="list">
      {programs.map(({ client_id, name, grants, used }) => (
        <li>
          <p>
            <bdi safe>{revealed(client_id)}</bdi>
          </p>
          <p class="about">
            {name !== "" && (
              <>
                Calls itself “<bdi safe>{revealed(name)}</bdi>” ·{" "}
              </>
            )}
            <span safe>{counted(grants, "grant")}</span>
            {used !== null && (
              <>
                , last used <Time at={used} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
    <p class="note">
      Those used last. <code>wharf admin clients</code> lists more of them.
    </p>
  </>
);

interface EntryProps {
  base: string;
  line: AdminPage["audit"]["lines"][number];
  /** The goal of the room that is the target, if it is one. */
  goal: string | undefined;
  is_private: boolean;
}

const Entry = ({ base, line: { seq, at, actor, action, target, reason }, goal, is_private }: EntryProps) => (
  <>
    <p>
      <code safe>{action}</code>{" "}
      {goal === undefined ? (
        <bdi safe>{revealed(target)}</bdi>
      ) : (
        <InRoom is_private={is_private} url={`${base}/meet/r/${target}`} text={goal} />
      )}
    </p>
    <StrangersText text={reason} />
    <p class="about">
      <span class="number">#{seq}</span> · <bdi safe>{revealed(actor)}</bdi> · <Time at={at} />
    </p>
  </>
);
