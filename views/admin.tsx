/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** The page for admins: reported posts, a form for every action, and the audit log. */

import { Html } from "@elysiajs/html";
import { Layout, type Site } from "./layout.tsx";
import { Fault, Note, StrangersText, Time } from "./components.tsx";
import { attribute, counted, revealed } from "./text.ts";

interface ReportedPost {
  post_id: string;
  room: string;
  n: number;
  url: string;
  name: string;
  ts: string;
  body: string;
  count: number;
  reasons: string[];
}

interface AuditLine {
  seq: number;
  at: string;
  actor: string;
  action: string;
  target: string;
  reason: string;
}

export interface AdminPage {
  reports: ReportedPost[];
  has_more_reports: boolean;
  audit: { lines: AuditLine[] };
  /** The form as it was sent, and why it was refused. */
  form: { action?: string; target?: string; reason?: string; fault?: string; done?: boolean };
}

/** The actions of the form, by the value of its field. */
export type AdminActions = Record<string, { title: string; of: string }>;

export async function adminPage(site: Site, shown: AdminPage, actions: AdminActions): Promise<string> {
  const { reports, form } = shown;
  return (
    <Layout
      frame={{ ...site, title: "Admin", description: "For those who run this instance.", noindex: true }}
    >
      <h1>Admin</h1>
      {form.done && <Note text="Done. It stands in the audit log below." />}
      <h2 safe>{`Reported posts (${reports.length}${shown.has_more_reports ? " and more" : ""})`}</h2>
      {reports.length === 0 && <p>No report is open.</p>}
      <ul class="posts">
        {reports.map((report) => (
          <Report report={report} at={site.base} />
        ))}
      </ul>
      <ActionForm form={form} actions={actions} at={site.base} />
      <h2>Audit log</h2>
      <ul class="posts">
        {shown.audit.lines.map(({ seq, at, actor, action, target, reason }) => (
          <li>
            <p class="about" safe>{`${seq} · ${at} · ${revealed(actor)}`}</p>
            <p safe>{`${action} ${revealed(target)}: ${revealed(reason)}`}</p>
          </li>
        ))}
      </ul>
      <Note text="wharf admin audit lists all of it." />
    </Layout>
  );
}

function Report({ report, at }: { report: ReportedPost; at: string }) {
  return (
    <li>
      <p class="about">
        <a href={attribute(report.url)} safe>
          {`${report.room}#${report.n}`}
        </a>{" "}
        by <b safe>{revealed(report.name)}</b> <Time at={report.ts} />
      </p>
      <StrangersText text={report.body} />
      <p safe>{`${counted(report.count, "report")}:`}</p>
      {report.reasons.map((reason) => (
        <StrangersText text={reason} />
      ))}
      <form method="post" action={`${at}/admin`}>
        <input type="hidden" name="target" value={attribute(report.post_id)} />
        <label for={`reason-${attribute(report.post_id)}`}>Reason</label>
        <input id={`reason-${attribute(report.post_id)}`} name="reason" required maxlength="500" />
        <button type="submit" name="action" value="hide">
          Hide
        </button>{" "}
        <button type="submit" name="action" value="erase">
          Erase for good
        </button>{" "}
        <button type="submit" name="action" value="dismiss">
          Dismiss
        </button>
      </form>
    </li>
  );
}

function ActionForm({ form, actions, at }: { form: AdminPage["form"]; actions: AdminActions; at: string }) {
  return (
    <form id="act" method="post" action={`${at}/admin`}>
      <h2>Do something</h2>
      <Fault text={form.fault} />
      <label for="action">What</label>
      <select id="action" name="action" required>
        {Object.entries(actions).map(([value, { title }]) => (
          <option value={value} selected={form.action === value} safe>
            {title}
          </option>
        ))}
      </select>
      <label for="target">
        To what: the id of a post or job, the address part of a room, a name, a network such as 192.0.2.0/24,
        or name/slot
      </label>
      <input id="target" name="target" required value={attribute(form.target ?? "")} />
      <label for="reason">Reason, for the audit log</label>
      <input id="reason" name="reason" required maxlength="500" value={attribute(form.reason ?? "")} />
      <button type="submit">Do it</button>
    </form>
  );
}
