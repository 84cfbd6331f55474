/** What the pages of rooms show, and their forms. */

import type { ShownLeases } from "../leases.ts";
import type { Delivered } from "./delivery.ts";
import type { Match, OpenRoom, Post, Room, RoomList, RoomSummary } from "./rooms.ts";
import type { Member, Role } from "./members.ts";
import type { Pace } from "./pace.ts";
import type { PartsOf, Refusal } from "../pages.ts";

type CanRedact = (post: ThreadPost["post"]) => boolean;

/** The parent of a reply, as a quote above a reply that is not directly below it. */
export interface Quote extends Pick<Post, "id" | "n" | "name" | "claimed"> {
  /** The beginning of its text; null if it is redacted. */
  text: string | null;
  /** Whether it is on the same page. */
  is_here: boolean;
  /** Whether the post was removed: only its number is known. */
  is_removed?: true;
}

export interface ThreadPost {
  post: Post;
  /** The post that it answers, if it is not directly below that. */
  quote: Quote | null;
  replies: ThreadPost[];
}

/** The form to close a room: its fields, and the reason of a refusal. */
export interface CloseForm {
  last_word?: string;
  name?: string;
  refusal?: Refusal;
}

/** What a form to set the pace sends. */
export type SentPaceForm = Partial<Record<"pace" | keyof Pace, string>>;

/** The form to set the pace: what was sent, if it was refused, and why. */
export interface PaceForm {
  sent?: SentPaceForm;
  refusal?: Refusal;
  /** The numbers that a room begins with which has none of its own. */
  usual: Readonly<Pace>;
}

/** The form to post: its fields, and the reason of a refusal. */
export interface SpeakForm {
  name?: string;
  body?: string;
  /** The number or id of the post that it answers. */
  in_reply_to?: string;
  /** The post that is replied to, if there is one. */
  answered?: Quote | null;
  refusal?: Refusal;
  /** Whether it takes a claimed name. */
  names_only?: boolean;
}

/** The submitted form, and why it was refused. */
export interface OpenForm extends Partial<Record<keyof OpenRoom, string>> {
  refusal?: Refusal;
  /** Whether it takes a claimed name. */
  names_only?: boolean;
}

/** A list of rooms, with the posts that a search has found in each, the newest first. */
export interface ListOfRooms extends RoomList {
  rooms: (RoomSummary & { matches: Match[] })[];
  /** Splits texts into the words of the search and what is between them. */
  partsOf?: PartsOf;
}

/** A form about a member: its fields, and the reason of a refusal. */
export interface MemberForm {
  name?: string;
  role?: string;
  refusal?: Refusal;
}

/** What the page of a private room shows of its members. */
export interface ShownMembers {
  /** Hosts first. */
  members: Member[];
  /** The form to invite a name. */
  invite: MemberForm;
  /** The form to change or to remove a member; null if it is not open. */
  change: (MemberForm & { name: string }) | null;
  /** The reason why the reader could not leave. */
  leave?: Refusal | undefined;
}

/** What became of posts of the reader, by their numbers: nobody else sees it. */
export type Deliveries = ReadonlyMap<number, Delivered[]>;

/** A page of posts. */
export interface ShownRoom {
  room: Room;
  /** Who holds what; absent if nothing is held, and on all pages but the newest. */
  leases?: ShownLeases;
  posts: ThreadPost[];
  /** The first post of the room, if it is above later ones. */
  opening: ThreadPost | null;
  /** The HTML of each text. */
  html: ReadonlyMap<string, string>;
  /** Undefined for a reader without a name. */
  deliveries: Deliveries | undefined;
  /** The numbers of its first and last post; 0 if there is none. */
  first: number;
  last: number;
  last_id: string | undefined;
  /** The pages around, as the number of the post before which they end; null if there is none. */
  earlier: number | null;
  newer: number | null;
}

/** What somebody does on the page: posts, reports or redacts a post, closes the room, or sets its pace. */
export interface RoomForms {
  speak: SpeakForm;
  report: Quote | null;
  /** The post to redact, and whether this reader may. */
  redact: { quote: Quote; is_allowed: boolean } | null;
  close: CloseForm;
  pace: PaceForm;
  /** Null if the room is not private. */
  members: ShownMembers | null;
}

/** The rights of this reader. */
export interface Rights {
  is_host: boolean;
  /** The role in a private room; null in other rooms. */
  role: Role | null;
  canRedact: CanRedact;
}
