/** The actions that the admin page offers, each with the call of the admin API that it makes. */

interface PageAction {
  title: string;
  /** What the target is. */
  of: "post" | "room" | "name" | "network" | "slot" | "job" | "program" | "room and path";
  /** The address of the call; null if the target lacks a part. */
  path(target: string): string | null;
  /** The question before it, if it cannot be undone. `thing`: what the target is called. */
  asks?(thing: string): string;
  /** The body of the call; the reason alone if absent. */
  body?(target: string): object;
}

const part = encodeURIComponent;

/** The parts of a target such as `name/slot`; null if there is no slash. The second may have more slashes. */
function pairOf(target: string): [first: string, second: string] | null {
  const at = target.indexOf("/");
  return at < 0 ? null : [target.slice(0, at), target.slice(at + 1)];
}

const ofPost = (title: string, action: string): PageAction => ({
  title,
  of: "post",
  path: (id) => `/api/admin/posts/${part(id)}/${action}`,
});
const ofRoom = (title: string, action: string): PageAction => ({
  title,
  of: "room",
  path: (slug) => `/api/admin/rooms/${part(slug)}/${action}`,
});
const ofName = (title: string, action: string): PageAction => ({
  title,
  of: "name",
  path: (name) => `/api/admin/names/${part(name)}/${action}`,
});

/** By the value of the form's field `action`. */
export const page_actions: Record<string, PageAction> = {
  hide: ofPost("Hide a post", "hide"),
  restore: ofPost("Restore a hidden post", "restore"),
  erase: {
    ...ofPost("Erase a post for good", "erase"),
    asks: (thing) => `Erase ${thing}? Its text is deleted for everybody, and nobody can restore it.`,
  },
  dismiss: {
    title: "Dismiss the report of a post",
    of: "post",
    path: (id) => `/api/admin/reports/${part(id)}/dismiss`,
  },
  close: ofRoom("Close a room", "close"),
  reopen: ofRoom("Reopen a room", "reopen"),
  delete: {
    ...ofRoom("Delete a room for good", "delete"),
    asks: (thing) => `Delete ${thing}? Its posts are deleted for everybody, and nobody can restore them.`,
  },
  break_lease: {
    title: "End the leases on a path of a room",
    asks: (thing) => `End the leases on ${thing}? Others can then take what they hold.`,
    of: "room and path",
    path(target) {
      const pair = pairOf(target);
      return pair && `/api/admin/rooms/${part(pair[0])}/leases/break`;
    },
    body: (target) => ({ paths: pairOf(target)?.slice(1) }),
  },
  suspend: ofName("Suspend a name", "suspend"),
  unsuspend: ofName("End the suspension of a name", "unsuspend"),
  reserve: ofName("Reserve a name", "reserve"),
  unreserve: ofName("End the reservation of a name", "unreserve"),
  release: {
    ...ofName("Release a name for good", "release"),
    asks: (thing) =>
      `Release ${thing}? Its key ends, its locker and its mailbox are deleted, and anybody can claim the name.`,
  },
  ban: {
    title: "Ban an address or a network",
    of: "network",
    path: () => "/api/admin/bans",
    body: (network) => ({ network }),
  },
  lift: {
    title: "Lift a ban",
    of: "network",
    path: () => "/api/admin/bans/lift",
    body: (network) => ({ network }),
  },
  remove_slot: {
    title: "Remove a public slot for good",
    asks: (thing) => `Remove ${thing}? What it holds is deleted, and nobody can restore it.`,
    of: "slot",
    path(target) {
      const pair = pairOf(target);
      return pair && `/api/admin/lockers/${part(pair[0])}/${part(pair[1])}/remove`;
    },
  },
  withdraw_job: {
    title: "Withdraw a job for good",
    asks: (thing) => `Withdraw ${thing}? Nobody can claim it then, and it cannot be offered again.`,
    of: "job",
    path: (id) => `/api/admin/jobs/${part(id)}/withdraw`,
  },
  end_client: {
    title: "End a program that signs in by OAuth",
    asks: (thing) => `End ${thing}? It has no access any more, and every name must let it in again.`,
    of: "program",
    path: () => "/api/admin/clients/end",
    body: (client_id) => ({ client_id }),
  },
};

/** The action that a form names; undefined if there is none. */
export const pageAction = (name: string): PageAction | undefined =>
  Object.hasOwn(page_actions, name) ? page_actions[name] : undefined;

/**
 * The address of the call that does it to `target`; null if the target cannot name such a thing. A part that is `.` or `..` stays so
 * when it is encoded, and `URL` would make the address of another call of it.
 */
export function addressOf({ path }: PageAction, target: string): string | null {
  const address = path(target);
  return address?.split("/").some((one) => one === "." || one === "..") ? null : address;
}
